"""Types of files by their names, for ``grep``'s ``type``."""

from kits.errors import invalid
from qitos_like.core.names import did_you_mean

from .globs import Glob

#: The names are ripgrep's, which models know; the globs are ours, so that both ways agree.
_GLOBS = {
    "asm": "*.{asm,s,S}",
    "awk": "*.awk",
    "bazel": "{*.{bazel,bzl,BUILD},BUILD,MODULE.bazel,WORKSPACE}",
    "c": "*.{c,h,H}",
    "clojure": "*.{clj,cljc,cljs,cljx,edn}",
    "cmake": "{*.cmake,CMakeLists.txt}",
    "cpp": "*.{C,H,cc,cpp,cxx,hh,hpp,hxx,inl}",
    "cs": "*.cs",
    "csharp": "*.cs",
    "css": "*.{css,scss}",
    "csv": "*.csv",
    "cuda": "*.{cu,cuh}",
    "cython": "*.{pyx,pxi,pxd}",
    "dart": "*.dart",
    "docker": "*Dockerfile*",
    "elixir": "*.{ex,eex,exs,heex,leex}",
    "elm": "*.elm",
    "erlang": "*.{erl,hrl}",
    "fortran": "*.{f,F,f77,f90,f95,f03,f08}",
    "fsharp": "*.{fs,fsi,fsx}",
    "go": "*.go",
    "gradle": "*.gradle",
    "graphql": "*.{graphql,graphqls}",
    "groovy": "*.{groovy,gradle}",
    "h": "*.{h,hh,hpp}",
    "haskell": "*.{hs,lhs,cabal}",
    "html": "*.{htm,html,ejs}",
    "ini": "*.ini",
    "java": "*.{java,jsp,jspx,properties}",
    "jl": "*.jl",
    "js": "*.{js,jsx,vue,cjs,mjs}",
    "json": "*.{json,jsonl,geojson}",
    "jsonl": "*.jsonl",
    "julia": "*.jl",
    "kotlin": "*.{kt,kts}",
    "less": "*.less",
    "lisp": "*.{el,lisp,lsp,jl,sc,scm}",
    "log": "*.log",
    "lua": "*.lua",
    "make": "{[Mm]akefile,[Gg][Nn][Uu]makefile,*.{mk,mak}}",
    "markdown": "*.{md,markdown,mdown,mdx,mkd}",
    "md": "*.{md,markdown,mdown,mdx,mkd}",
    "ml": "*.ml",
    "nim": "*.{nim,nimf,nimble,nims}",
    "nix": "*.nix",
    "notebook": "*.ipynb",
    "objc": "*.{h,m}",
    "ocaml": "*.{ml,mli,mll,mly}",
    "perl": "*.{pl,pm,t,perl,PL,plh,plx}",
    "php": "*.{php,php3,php4,php5,php7,php8,pht,phtml}",
    "proto": "*.proto",
    "protobuf": "*.proto",
    "ps": "*.{ps1,psd1,psm1,cdxml,ps1xml}",
    "py": "*.{py,pyi}",
    "python": "*.{py,pyi}",
    "r": "*.{R,r,Rmd,Rnw}",
    "rst": "*.rst",
    "ruby": "{*.{rb,rbw,gemspec},Gemfile,Rakefile,config.ru}",
    "rust": "*.rs",
    "sass": "*.{sass,scss}",
    "scala": "*.{scala,sbt}",
    "sh": "*.{sh,bash,zsh,ksh,csh,tcsh}",
    "sql": "*.{sql,psql}",
    "svelte": "*.svelte",
    "svg": "*.svg",
    "swift": "*.swift",
    "tcl": "*.tcl",
    "terraform": "*.{tf,tfvars}",
    "tex": "*.{tex,ltx,cls,sty,bib,dtx,ins}",
    "tf": "*.{tf,tfvars}",
    "toml": "{*.toml,Cargo.lock}",
    "ts": "*.{ts,tsx,cts,mts}",
    "txt": "*.txt",
    "typescript": "*.{ts,tsx,cts,mts}",
    "vim": "{*.vim,vimrc}",
    "vue": "*.vue",
    "wasm": "*.{wat,wast}",
    "xml": "*.{xml,dtd,xsd,xsl,xslt,rng,sch,xhtml,xjb,rdf}",
    "yaml": "*.{yaml,yml}",
    "zig": "*.zig",
}


def glob_of(kind: str, *, hidden: bool = False) -> Glob:
    """The names of files of a type.

    Raises:
        WorkspaceError: there is no such type.
    """
    pattern = _GLOBS.get(kind)
    if pattern is None:
        message = f"there is no file type {kind!r}{did_you_mean(kind, _GLOBS)}"
        raise invalid(message, hint="glob='*.ext' selects files by their names.")
    return Glob(pattern, hidden)
