"""Commands that run ``git push``, each in its own way; a rule that denies that must hold."""

_QUOTED = """
git push
git  push
git\tpush --force
 git push
'git' push
"git" push
git 'push'
git "push" origin
"git" 'push'
g'i't push
g"i"t push
gi""t push
''git push
git ''push
g\\it push
git p\\ush
\\git push
$'git' push
$'\\x67it' push
$'g\\151t' push
$'\\u0067it' push
git $'push'
git $'\\160ush'
$"git" push
git $"push"
"$(printf git)" push
$(printf git) push
`printf git` push
$G push
${G} push
${G:-git} push
git ${P}
git p${U}sh
git p$U"sh"
"${A[@]}"
{git,push}
git pu{sh,ll}
{git,} push
gi? push
g* push
/usr/bin/gi[t] push
/usr/bin/git push
./git push
../bin/git push
"/usr/bin/git" push
~/bin/git push
$HOME/bin/git push
"""

_BESIDE = """
ls; git push
ls;git push
ls ;git push;
ls && git push
ls&&git push
ls || git push
ls||git push
ls | git push
ls|git push
ls |& git push
ls & git push
ls& git push &
git push & ls
git push | cat
git push || true
(git push)
( ls; git push )
((ls); (git push))
{ git push; }
{ ls; git push; }
(cd a && git push) && ls
! git push
! ! git push
if git push; then ls; fi
if ls; then git push; fi
if ls; then ls; else git push; fi
if ls; then ls; elif git push; then ls; fi
while git push; do break; done
while ls; do git push; break; done
until git push; do break; done
for i in a; do git push; done
for ((;;)); do git push; break; done
select i in a; do git push; done
case a in a) git push;; esac
case a in (a) ls;; *) git push;; esac
case a in a) git push;& b) ls;; esac
[ -f a ] || git push
[[ -f a ]] || git push
test -f a || git push
((0)) || git push
f() { git push; }; f
f () ( git push ); f
function f { git push; }; f
function f() { git push; }; f
ls() { git push; }; ls
alias gp='git push'; gp
alias ls='git push'
shopt -s expand_aliases; alias l='git push'
coproc git push
coproc X { git push; }
time git push
time -p git push
time (git push)
"""

_WITHIN = """
echo $(git push)
echo "$(git push)"
echo "a $(echo "$(git push)") b"
echo `git push`
echo "`git push`"
echo `echo \\`git push\\``
echo ${x:-$(git push)}
echo "${x:-`git push`}"
: ${x:=$(git push)}
echo $(( $(git push) + 1 ))
x=$(git push)
x=`git push` ls
export x=$(git push)
declare x="$(git push)"
x=(a $(git push))
x[$(git push)]=1
for i in $(git push); do ls; done
case $(git push) in a) ls;; esac
[[ $(git push) ]]
(( $(git push) ))
cat <(git push)
diff <(ls) <(git push)
ls > >(git push)
tee >(git push) < a
while read x; do ls; done < <(git push)
mapfile x < <(git push)
cat <<< "$(git push)"
ls $(cat a; git push) b
"""

_REDIRECTED = """
> a git push
>a git push
2>&1 git push
< a git push
git push > a
git push >> a 2>&1
git push &> a
git > a push
git 2>a push
git 2>&1 push
{fd}> a git push
<<< x git push
git push <<< x
bash <<< 'git push'
sh <<< "git push"
A=1 git push
A=1 B=2 git push
A="b c" git push
A+=1 git push
A= git push
A=$B git push
GIT_DIR=x git push
a[0]=1 git push
A=git; $A push
A='git push'; $A
export A=git; $A push
set -- git push; "$@"
echo 'git push' | bash
echo 'git push' | sh -
printf 'git push' | xargs -I{} sh -c '{}'
"""

_CARRIED = """
eval git push
eval 'git push'
eval "git" "push"
eval $'git push'
eval "$(echo git push)"
bash -c 'git push'
bash -c "git push"
bash -c git\\ push
bash -lc 'git push'
bash -x -c 'ls; git push'
bash --norc -c 'git push'
bash -c "bash -c 'git push'"
bash -c 'eval "git push"'
bash -c "$(echo git push)"
bash -c $'git push'
sh -c 'git push'
sh -ec 'ls && git push'
/bin/sh -c 'git push'
/usr/bin/env bash -c 'git push'
dash -c 'git push'
zsh -c 'git push'
ksh -c 'git push'
busybox sh -c 'git push'
exec git push
exec -a ls git push
exec bash -c 'git push'
command git push
command -p git push
builtin eval 'git push'
env git push
env -i git push
env A=1 git push
env -u A -- git push
env -S 'git push'
env bash -c 'git push'
sudo git push
sudo -u me git push
sudo -E -- git push
sudo A=1 git push
sudo bash -c 'git push'
sudo -s git push
doas git push
su -c 'git push'
su me -c 'git push'
nohup git push &
nohup bash -c 'git push' &
nice git push
nice -n 5 git push
ionice -c 3 git push
timeout 5 git push
timeout -k 1 5 git push
timeout 5 bash -c 'git push'
stdbuf -o0 git push
setsid git push
setsid -w bash -c 'git push'
taskset 1 git push
systemd-run git push
flock a git push
flock a -c 'git push'
script -c 'git push'
script -qc 'git push' /dev/null
watch git push
watch -n 1 'git push'
xargs git push
ls | xargs git push
xargs -I{} git push {}
ls | xargs sh -c 'git push'
find . -exec git push \\;
find . -execdir git push {} +
find . -ok git push ';'
find . -exec sh -c 'git push' \\;
parallel git push ::: a
parallel ::: 'git push'
ssh host git push
ssh host 'cd a; git push'
chroot / git push
unshare -r git push
strace -f git push
nsenter -t 1 git push
tmux new 'git push'
trap 'git push' EXIT
trap "git push" ERR; false
source <(echo git push)
. <(echo git push)
. /dev/stdin <<< 'git push'
sudo nice timeout 5 env A=1 git push
caffeinate -i git push
bwrap --bind / / git push
fd . -x git push
fd --exec git push
rg --pre 'git push' x
tar --to-command='git push' -xf a
man -P 'git push' ls
rsync -e 'git push' a b:
scp -o ProxyCommand='git push' a b:
split --filter='git push' a
mapfile -C 'git push' -c 1 x
compgen -C 'git push'
let 'a[$(git push)]=1'
test -v 'a[$(git push)]'
printf -v 'a[`git push`]' x
declare 'a[$(git push)]=1'
git -c alias.p=push p
git --config-env=alias.p=P p
git --exec-path=/tmp/x push
"""

#: Whose program has another run it, or has options before it.
_COMING_TO_IT = """
git -C a push
git -C 'a b' push -f
git --git-dir=a --work-tree b push
git --no-pager push
git -P -C a push
/usr/bin/git -C a push
sudo git -C a push
env A=1 git --no-pager push
GIT push
git.exe push
npx git push
npx -y git push
uv run git push
uv run --with x git push
poetry run git push
docker exec -it box git push
docker exec box sh -c 'git push'
docker exec box git -C a push
docker --context x compose exec box git push
kubectl exec pod -- git push
git submodule foreach 'git push'
git rebase -x 'git push' main
git bisect run git push
nix-shell --run 'git push'
nix develop -c git push
hyperfine 'git push'
perf stat git push
npm exec -- git push
"""

#: Of several lines each.
_HERE = [
    "bash <<EOF\ngit push\nEOF",
    "bash <<'EOF'\ngit push\nEOF\nls",
    'sh <<"EOF"\nls\ngit push\nEOF',
    "bash <<-EOF\n\tgit push\n\tEOF",
    "cat <<EOF | bash\ngit push\nEOF",
    "cat <<EOF\n$(git push)\nEOF",
    "cat <<EOF\n`git push`\nEOF",
    "cat <<A <<B\n$(ls)\nA\n$(git push)\nB",
    "cat <<EOF > a && git push\ntext\nEOF",
    "cat <<EOF\ntext\nEOF\ngit push",
    "cat <<'EOF'\nit's\nEOF\ngit push",
    "bash <<EOF\ngit push",
    "cat <<\\EOF\n'\nEOF\ngit push",
    "cat <<E'O'F\n\"\nEOF\ngit push",
    "cat <<EOF; git push\ntext\nEOF",
]

_LINES = [
    "git \\\npush",
    "gi\\\nt push",
    "ls\ngit push",
    "ls\n\n\n  git push",
    "ls\r\ngit push",
    "ls # a comment\ngit push",
    "ls # a comment \\\ngit push",
    "#\\\ngit push",
    "ls # it's \\\ngit push",
    "git push 2\\\n> /dev/null",
    "ls &\\\n& git push",
    "echo $\\\n(git push)",
    'echo "$\\\n(git push)"',
    "ls \\\n&& git push",
    "ls &&\ngit push",
    "ls |\ngit push",
    "ls; # git status\ngit push # really",
    'echo "$(ls\ngit push)"',
]

_MANY = [
    " && ".join([*["ls"] * 5_000, "git push"]),
    "; ".join([*["ls -l"] * 5_000, "git push"]),
    "\n".join([*["ls | cat"] * 2_500, "git push"]),
    "ls " + "a" * 100_000 + "; git push",
]


def commands():
    """All of them."""
    tables = f"{_QUOTED}{_BESIDE}{_WITHIN}{_REDIRECTED}{_CARRIED}{_COMING_TO_IT}"
    return [*filter(None, tables.splitlines()), *_LINES, *_HERE, *_MANY]
