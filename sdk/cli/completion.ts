import type { CommandInfo, OptionInfo, Values } from "./command-tree";

/** Quotes a text for bash and zsh, in single quotes. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const valued = (options: OptionInfo[]) => options.filter(({ values }) => values !== null).map(({ flag }) => flag);

/** Returns one arm of a shell's `case` for each command. */
function arms(tree: CommandInfo[], lines: (command: CommandInfo) => string[]): string {
  return tree
    .flatMap((command) => [
      `    ${quoted(command.path)})`,
      ...lines(command).map((line) => `      ${line}`),
      "      ;;",
    ])
    .join("\n");
}

const kindOf = (values: Values) => (typeof values === "string" ? values : `words:${values.words.join(" ")}`);

/**
 * Returns a shell `case` that sets `kind` for the options whose values can be completed; `words:a b` is a list of
 * choices.
 */
function kinds({ options, argument }: CommandInfo): string[] {
  const known = options.filter(({ values }) => values !== null && values !== "anything");
  const lines = known.map(({ flag, values }) => `${flag}) kind=${quoted(kindOf(values as Values))} ;;`);
  const own = argument && argument !== "anything" ? [`'') kind=${quoted(kindOf(argument))} ;;`] : [];
  return lines.length + own.length === 0
    ? []
    : ['case "$1" in', ...[...lines, ...own].map((line) => `  ${line}`), "esac"];
}

/**
 * Returns the part shared by both shells: the words each command accepts, and what can follow an option. Works in bash
 * 3.2.
 */
function tables(tree: CommandInfo[]): string {
  return `# Sets what the command of $command knows.
_halcyon_at() {
  case "$command" in
${arms(tree, ({ subcommands, options }) => [
  `names=${quoted(subcommands.map(({ name }) => name).join(" "))}`,
  `valued=${quoted(valued(options).join(" "))}`,
])}
  esac
}

# Sets kind: what completes the option $1 of $command, or its argument when $1 is empty.
_halcyon_kind() {
  kind=
  case "$command" in
${arms(tree, kinds)}
  esac
}

# Walks the words before the cursor; sets command and pending, the option that wants a value.
_halcyon_walk() {
  local word
  command= pending=
  _halcyon_at
  for word in "$@"; do
    [[ $word == "=" ]] && continue
    if [[ -n $pending ]]; then
      pending=
      continue
    fi
    case " $valued " in *" $word "*) pending=$word && continue ;; esac
    case " $names " in *" $word "*) command="\${command:+$command }$word" && _halcyon_at ;; esac
  done
}

# The names of profiles, one a line. $1 is the program as it was called.
_halcyon_profiles() {
  "$1" profiles list --names 2>/dev/null
}`;
}

/** Returns the completion script for bash: `source <(halcyon completion bash)`. */
export function bashCompletion(tree: CommandInfo[]): string {
  return `# Completion of halcyon for bash, made by \`halcyon completion bash\`.
${tables(tree)}

_halcyon_flags() {
  case "$command" in
${arms(tree, ({ options }) => [`flags=${quoted(options.map(({ flag }) => flag).join(" "))}`])}
  esac
}

_halcyon() {
  local command pending names valued flags kind line
  local current="\${COMP_WORDS[COMP_CWORD]}"
  [[ $current == "=" ]] && current=
  _halcyon_walk "\${COMP_WORDS[@]:1:COMP_CWORD-1}"
  COMPREPLY=()
  if [[ -z $pending && $current == -* ]]; then
    _halcyon_flags
    while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$flags" -- "$current")
    return
  fi
  _halcyon_kind "$pending"
  case "$kind" in
    words:*) kind="\${kind#words:}" ;;
    profile) kind="$(_halcyon_profiles "\${COMP_WORDS[0]}")" ;;
    file)
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
      compopt -o filenames 2>/dev/null
      return
      ;;
  esac
  [[ -z $pending ]] && kind="$kind $names"
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$kind" -- "$current")
}
complete -F _halcyon halcyon
`;
}

const described = (name: string, description: string) => quoted(`${name}:${description.replaceAll(":", "\\:")}`);

/** Returns the completion script for zsh: `source <(halcyon completion zsh)`, after `compinit`. */
export function zshCompletion(tree: CommandInfo[]): string {
  return `#compdef halcyon
# Completion of halcyon for zsh, made by \`halcyon completion zsh\`.
${tables(tree)}

_halcyon_described() {
  case "$command" in
${arms(tree, ({ subcommands, options }) => [
  `subcommands=(${subcommands.map(({ name, description }) => described(name, description)).join(" ")})`,
  `flags=(${options.map(({ flag, description }) => described(flag, description)).join(" ")})`,
])}
  esac
}

_halcyon() {
  local command pending names valued kind
  local -a subcommands flags offered
  _halcyon_walk "\${(@)words[2,CURRENT-1]}"
  _halcyon_described
  if [[ -z $pending && $PREFIX == -* ]]; then
    _describe -o 'option' flags
    return
  fi
  _halcyon_kind "$pending"
  case "$kind" in
    words:*) offered=(\${=kind#words:}) ;;
    profile) offered=(\${(f)"$(_halcyon_profiles "$words[1]")"}) ;;
    file)
      _files
      return
      ;;
  esac
  (( \${#offered} )) && compadd -a offered
  [[ -z $pending ]] && (( \${#subcommands} )) && _describe 'command' subcommands
}
if [[ $funcstack[1] == _halcyon ]]; then _halcyon "$@"; else compdef _halcyon halcyon; fi
`;
}
