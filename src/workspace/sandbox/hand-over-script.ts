/**
 * Commits what a worker left and packs everything it made, inside the sandbox, so that whatever its files make git do
 * happens there. It uses our git directory and index; the worker's own is only asked which commits it holds.
 *
 * Arguments: clone, our git directory, base, id. It leaves `pack`, `left-out`, `lfs` with the content of files behind
 * Git LFS, and, last, `manifest` next to the git directory.
 */
export const HAND_OVER_SCRIPT = String.raw`
set -u
export clone="$1" own="$2"
base=$3 id=$4 out=$(dirname "$2")
export LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_ATTR_NOSYSTEM=1
export GIT_NO_REPLACE_OBJECTS=1 GIT_NO_LAZY_FETCH=1 GIT_ALLOW_PROTOCOL=none GIT_OPTIONAL_LOCKS=0 GIT_TERMINAL_PROMPT=0
cd "$clone" || exit 2

ours() {
  GIT_INDEX_FILE="$own/index" git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c diff.ignoreSubmodules=all \
    -c gc.auto=0 -c core.untrackedCache=false --git-dir="$own" --work-tree="$clone" "$@"
}
theirs() { timeout 60 git --git-dir="$clone/.git" "$@" 2>/dev/null </dev/null; }
others() { ours ls-files -z --others --exclude-standard; }

# Git does not look into a nested repository, unless the index already has a file there.
seed() {
  GIT_INDEX_FILE="$own/index" xargs -0 -r -n 1 sh -c '
    case $1 in --add) git --git-dir="$own" update-index --add --cacheinfo "100644,$2,$3.ambit-seed" ;;
    *) git --git-dir="$own" update-index --force-remove "$3.ambit-seed" ;; esac' seed "$1" "$empty" 2>/dev/null
}

add_others() {
  others | grep -zv '/$' > "$own/new"
  [ -s "$own/new" ] || return 0
  ours update-index --add --replace -z --stdin < "$own/new" 2>/dev/null && return 0
  # One file that cannot be stored must not keep the others out.
  GIT_INDEX_FILE="$own/index" xargs -0 -n 1 git --git-dir="$own" --work-tree="$clone" update-index --add --replace -- \
    < "$own/new" 2>/dev/null
}

stage() {
  cp -p "$own/index-of-base" "$own/index"
  ours read-tree --reset "$1" || return 1
  ours add -u --ignore-errors . 2>/dev/null
  add_others
  : > "$own/seeded"
  for round in 1 2 3 4 5 6 7 8; do
    others | grep -z '/$' > "$own/nested" || break
    seed --add < "$own/nested"
    cat "$own/nested" >> "$own/seeded"
    add_others
  done
  seed --remove < "$own/seeded"
}

# In a commit, a file behind Git LFS is a pointer; content that the base has no pointer to goes along under its hash.
point_to_lfs() {
  rm -rf "$out/lfs" && mkdir "$out/lfs" || return 1
  ours diff-index --cached --name-only --no-renames --diff-filter=d -z "$base" |
    ours check-attr -z --stdin filter | sed -zn 'h;n;n;/^lfs$/{x;p}' > "$own/behind-lfs"
  [ -s "$own/behind-lfs" ] || return 0
  GIT_DIR="$own" GIT_WORK_TREE="$clone" GIT_INDEX_FILE="$own/index" base=$base lfs="$out/lfs" xargs -0 -n 1 sh -c '
    mode=$(git ls-files -s -- ":(literal)$1" | cut -d " " -f 1)
    case $mode in 100*) ;; *) exit 0 ;; esac
    git cat-file blob ":0:$1" > "$own/content" || exit 255
    [ -s "$own/content" ] || exit 0
    [ "$(head -c 43 "$own/content" | tr -d "\000")" = "version https://git-lfs.github.com/spec/v1" ] && exit 0
    hash=$(sha256sum < "$own/content" | cut -d " " -f 1) size=$(wc -c < "$own/content") || exit 255
    pointer=$(printf "version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n" "$hash" "$size" |
      git hash-object -w --stdin) || exit 255
    printf "%s %s\t%s\0" "$mode" "$pointer" "$1" | git update-index -z --index-info || exit 255
    [ "$pointer" = "$(git rev-parse -q --verify "$base:$1")" ] || mv "$own/content" "$lfs/$hash"' point \
    < "$own/behind-lfs"
}

# Where the worker stood, when that descends from the base; a mangled history must not cost its files.
attempt() {
  parent=$1
  shift
  stage "$parent" && point_to_lfs || return 1
  tree=$(ours write-tree) || return 1
  tip=$parent
  if [ "$tree" != "$(ours rev-parse "$parent^{tree}")" ]; then
    tip=$(ours commit-tree -p "$parent" -F "$own/message" "$tree") || return 1
  fi
  kept=
  if [ $# -gt 0 ]; then
    for commit in $(ours merge-base --independent "$tip" "$@" 2>/dev/null || echo "$@"); do
      [ "$commit" = "$tip" ] || kept="$kept $commit"
    done
  fi
  printf '%s\n' "$tip" $kept "^$base" |
    ours pack-objects --revs --thin --stdout --delta-base-offset -q > "$out/pack" || return 1
}

empty=$(ours hash-object -w --stdin </dev/null) || exit 3
cp -p "$own/index" "$own/index-of-base"
parent=$base
head=$(theirs rev-parse -q --verify 'HEAD^{commit}')
branch=$(theirs rev-parse -q --verify "refs/heads/delegation/$id^{commit}")
for commit in $branch $head; do
  ours merge-base --is-ancestor "$base" "$commit" 2>/dev/null && parent=$commit
done
made=$(theirs rev-list --no-walk --ignore-missing --reflog --all HEAD | head -n 2000 |
  ours cat-file --batch-check='%(objectname) %(objecttype)' | sed -n 's/ commit$//p' | grep -vx "$base")

history=whole
attempt "$parent" $made || { history=dropped && { attempt "$parent" || attempt "$base"; }; } || exit 4
others | head -c 1000000 > "$out/left-out"
printf 'tip %s\n' "$tip" > "$out/manifest.new"
printf 'history %s\n' "$history" >> "$out/manifest.new"
for commit in $kept; do printf 'kept %s\n' "$commit" >> "$out/manifest.new"; done
mv "$out/manifest.new" "$out/manifest"
`;
