/** Shells for which there is a completion. */
export const shells = ["bash", "zsh", "fish", "pwsh"] as const;

const bash = String.raw`# Completion of ambit for bash.
_ambit() {
  local line answer program="${"$"}{COMP_WORDS[0]/#\~/$HOME}"
  COMPREPLY=()
  answer="$("$program" __complete "${"$"}{COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)"
  while IFS= read -r line; do
    case "$line" in
      '') ;;
      :files) compopt -o default ;;
      :folders) compopt -o dirnames ;;
      *) COMPREPLY+=("${"$"}{line%%$'\t'*}") ;;
    esac
  done <<< "$answer"
}
complete -F _ambit ambit
`;

const zsh = String.raw`#compdef ambit
# Completion of ambit for zsh.
_ambit() {
  local line kind=
  local -a values shown
  for line in "${"$"}{(@f)$("${"$"}{words[1]/#\~/$HOME}" __complete "${"$"}{(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    case "$line" in
      '') ;;
      :*) kind="${"$"}{line#:}" ;;
      *)
        values+=("${"$"}{line%%$'\t'*}")
        shown+=("${"$"}{line/$'\t'/  }")
        ;;
    esac
  done
  (( ${"$"}{#values} )) && compadd -Q -l -d shown -a values
  case "$kind" in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [ "$funcstack[1]" = "_ambit" ]; then _ambit "$@"; else compdef _ambit ambit; fi
`;

const fish = String.raw`# Completion of ambit for fish.
function __ambit_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    for line in (command $words[1] __complete $words[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$current"
            case ':folders'
                __fish_complete_directories "$current"
            case '*'
                echo $line
        end
    end
end
complete -c ambit -f -a '(__ambit_complete)'
`;

const pwsh = String.raw`# Completion of ambit for PowerShell.
Register-ArgumentCompleter -Native -CommandName ambit -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @($commandAst.CommandElements | Select-Object -Skip 1 | Where-Object {
        $_.Extent.EndOffset -lt $cursorPosition
    } | ForEach-Object { $_.ToString() })
    & ambit __complete @words "$wordToComplete" 2>$null | Where-Object { -not $_.StartsWith(':') } | ForEach-Object {
        $value, $about = $_ -split "${"`"}t", 2
        if (-not $about) { $about = $value }
        [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
}
`;

/** Each script asks the program itself what fits, so it stays correct when commands change. */
export const completionScripts: Readonly<Record<(typeof shells)[number], string>> = { bash, zsh, fish, pwsh };
