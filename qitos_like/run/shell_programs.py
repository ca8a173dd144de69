"""What programs do with the commands that are in their arguments."""

from collections.abc import Mapping

#: Run the command in their arguments.
CARRIERS = frozenset(
    {
        "builtin", "busybox", "bwrap", "caffeinate", "catchsegv", "cgexec", "choom", "chpst",
        "chroot", "chrt", "command", "coproc", "dbus-launch", "dbus-run-session", "doas",
        "eatmydata", "entr", "env", "exec", "fakeroot", "faketime", "firejail", "flock", "gosu",
        "ionice", "logsave", "ltrace", "mosh", "nice", "nohup", "nsenter", "numactl",
        "parallel", "pkexec", "prlimit", "proot", "proxychains", "proxychains4", "rlwrap",
        "run0", "runuser", "screen", "script", "setarch", "setpriv", "setsid", "setuidgid",
        "sg", "softlimit", "ssh", "ssh-agent", "start-stop-daemon", "stdbuf", "strace", "su",
        "sudo", "systemd-run", "taskset", "time", "timeout", "tmux", "torsocks", "toybox",
        "unbuffer", "unshare", "watch", "wsl", "xargs", "xvfb-run",
    }
)  # fmt: skip
#: Do so with these options alone, which are told by how they begin.
CARRYING_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "fd": ("-x", "-X", "--exec"),
    "fdfind": ("-x", "-X", "--exec"),
    "find": ("-exec", "-ok"),
    "git": ("-c", "--config-env", "--exec-path"),
    "man": ("-P", "-H", "--pager", "--html"),
    "rg": ("--pre", "--hostname-bin"),
    "rsync": ("-e", "--rsh", "--rsync-path"),
    "scp": ("-S", "-o"),
    "sftp": ("-D", "-S", "-o"),
    "sort": ("--compress-program",),
    "split": ("--filter",),
    "tar": ("-I", "--to-command", "--use-compress-program", "--checkpoint-action"),
    "wget": ("--use-askpass",),
    "zip": ("-TT", "--unzip-command"),
}
#: Options before a subcommand that take the next word; of programs that are not here, each may.
VALUED_OPTIONS: Mapping[str, frozenset[str]] = {
    "git": frozenset(
        {"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env", "--attr-source"}
    ),
}
#: Run a text in their arguments.
SHELLS = frozenset(
    {
        ".", "alias", "ash", "bash", "bind", "cmd", "compgen", "complete", "csh", "dash",
        "elvish", "enable", "eval", "fish", "hash", "ksh", "mapfile", "mksh", "nu",
        "powershell", "pwsh", "rbash", "readarray", "sh", "source", "tcsh", "trap", "xonsh",
        "zsh",
    }
)  # fmt: skip
#: Run what is substituted in the name of a variable, also where it was quoted.
NAMING = frozenset(
    {
        "declare", "export", "let", "local", "printf", "read", "readonly", "test", "typeset",
        "unset", "wait",
    }
)  # fmt: skip
#: Words after which many a program runs the rest: ``docker exec box ls``, ``uv run pytest``.
RUNNING = frozenset(
    {
        "bunx", "develop", "dlx", "dotenv", "exec", "filter-branch", "foreach", "gdb",
        "hyperfine", "nix-shell", "npx", "perf", "pnpx", "rebase", "run", "shell", "ssh", "uvx",
        "valgrind", "watchexec",
    }
)  # fmt: skip
#: Stand before a command, and are none.
KEYWORDS = frozenset(
    {
        "if", "then", "elif", "else", "fi", "for", "while", "until", "do", "done", "case",
        "esac", "in", "select", "function", "!", "{", "}",
    }
)  # fmt: skip
