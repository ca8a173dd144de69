"""The scripts by which bash, zsh and fish complete: click's, taught that an argument is ``key=value``.

After ``key=`` no shell puts a blank, and where a file is asked for, it is the value that names it.
"""

from click.shell_completion import BashComplete, FishComplete, ZshComplete, add_completion_class


def teach() -> None:
    """Let click give these scripts for its own."""
    for shell in (_Bash, _Zsh, _Fish):
        add_completion_class(shell)


class _Bash(BashComplete):
    source_template = BashComplete.source_template.replace(
        "\n    return 0\n",
        '\n    [[ "${COMPREPLY[0]-}" == *= ]] && compopt -o nospace\n    return 0\n',
    )


class _Zsh(ZshComplete):
    source_template = (
        ZshComplete.source_template.replace(
            "    local -a completions\n", "    local -a completions keys\n"
        )
        # An empty value is a word too: unquoted it would be left out, and the next taken for it.
        .replace("in ${response};", 'in "${response[@]}";')
        .replace(
            '                completions+=("$key")\n',
            '                [[ "$key" == *= ]] && keys+=("$key") || completions+=("$key")\n',
        )
        .replace(
            "            _path_files -f\n",
            '            [[ "$PREFIX" == ?*"=$key" ]] && compset -P 1 "*="\n'
            "            _path_files -f\n",
        )
        .replace(
            '    if [ -n "$completions" ]; then\n',
            "    compadd -U -S '' -V unsorted -a keys\n\n    if [ -n \"$completions\" ]; then\n",
        )
    )


class _Fish(FishComplete):
    source_template = FishComplete.source_template.replace(
        "            __fish_complete_path $metadata[2];\n",
        '            set -l value (string escape --style=regex -- "$metadata[2]");\n'
        '            set -l key (string replace --regex -- "$value\\$" "" (commandline -t));\n'
        '            for path in (__fish_complete_path "$metadata[2]");\n'
        "                echo $key$path;\n"
        "            end;\n",
    )
