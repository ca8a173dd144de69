"""A tool as a class: it holds a database, opened before the first call and closed at the end."""

import sqlite3

from qitos_like import (
    Action,
    ActionExecutor,
    BaseTool,
    Environment,
    ToolError,
    ToolPermission,
    ToolRegistry,
)


class QueryTool(BaseTool, permissions=ToolPermission(filesystem_read=True)):
    """Run a SQL query on the table books(title, year)."""

    def setup(self) -> None:
        """Open the database."""
        self.database = sqlite3.connect(":memory:", check_same_thread=False)
        self.database.execute("create table books (title, year)")
        books = [("Emma", 1815), ("Middlemarch", 1871), ("Ulysses", 1922)]
        self.database.executemany("insert into books values (?, ?)", books)

    def teardown(self) -> None:
        """Close it."""
        self.database.close()
        print("database closed")

    def run(self, sql: str) -> list[dict[str, object]]:
        """Answer with rows; a mistake in the SQL is the model's to mend."""
        try:
            cursor = self.database.execute(sql)
        except sqlite3.Error as error:
            message = f"SQLite says: {error}"
            raise ToolError(message, code="input_invalid", hint="Only books exists.") from error
        columns = [column[0] for column in cursor.description]
        return [dict(zip(columns, row, strict=True)) for row in cursor]


def main() -> None:
    """Ask the database, rightly and wrongly, and once where reading is not granted."""
    query = Action("query", {"sql": "select * from books where year < 1900"})
    with ToolRegistry().register(QueryTool()) as registry:
        with ActionExecutor(registry) as executor:
            print(executor.run_sync(query).text)
            print(executor.run_sync(Action("query", {"sql": "select * from authors"})).text)
        with ActionExecutor(registry, environment=Environment()) as executor:
            print(executor.run_sync(query).text)


if __name__ == "__main__":
    main()
