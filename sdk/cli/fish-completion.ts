import type { CommandInfo, OptionInfo, Values } from "./command-tree";

/** Quotes a text for fish, in single quotes, where a backslash escapes. */
const quoted = (text: string) => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;

/** Returns the flags that complete a value: `-x` for a value that isn't a file, `-r -F` for a file. */
function completionOf(values: Values | null): string {
  if (values === null) return "";
  if (values === "file") return " -r -F";
  if (values === "profile") return " -x -a '(__halcyon_profiles)'";
  return values === "anything" ? " -x" : ` -x -a ${quoted(values.words.join(" "))}`;
}

/** Returns the condition of a line: the words before the cursor are exactly this command. */
const at = ({ path }: CommandInfo) => ` -n ${quoted(`__halcyon_at ${quoted(path)}`)}`;

const optionLine = (condition: string, { flag, values, description }: OptionInfo) =>
  `complete -c halcyon${condition} -l ${flag.replace(/^--/, "")}${completionOf(values)} -d ${quoted(description)}`;

function linesOf(command: CommandInfo, shared: ReadonlySet<string>): string[] {
  const { subcommands, options, argument } = command;
  return [
    ...subcommands.map(
      ({ name, description }) => `complete -c halcyon${at(command)} -a ${quoted(name)} -d ${quoted(description)}`,
    ),
    ...options.filter(({ flag }) => !shared.has(flag)).map((option) => optionLine(at(command), option)),
    ...(argument === null || argument === "anything"
      ? []
      : [`complete -c halcyon${at(command)}${completionOf(argument).replace(/ -[rx]/, "")}`]),
  ];
}

/** Returns the completion script for fish: `halcyon completion fish | source`. */
export function fishCompletion(tree: CommandInfo[]): string {
  const [program] = tree;
  const everywhere = (program?.options ?? []).filter(({ flag }) =>
    tree.every(({ options }) => options.some((option) => option.flag === flag)),
  );
  const shared = new Set(everywhere.map(({ flag }) => flag));
  const words = (list: string[]) => list.map(quoted).join(" ");
  return `# Completion of halcyon for fish, made by \`halcyon completion fish\`.

# The options of a command whose next word is their value.
function __halcyon_valued
    switch "$argv[1]"
${tree
  .map(({ path, options }) => {
    const valued = options.filter(({ values }) => values !== null).map(({ flag }) => flag);
    return `        case ${quoted(path)}\n            printf '%s\\n' ${words(valued)}`;
  })
  .join("\n")}
    end
end

# Whether the words before the cursor name exactly the command $argv[1].
function __halcyon_at
    set -l known ${words(tree.filter(({ path }) => path !== "").map(({ path }) => path))}
    set -l command ''
    set -l pending 0
    for word in (commandline -opc)[2..]
        if test $pending = 1
            set pending 0
        else if contains -- $word (__halcyon_valued $command)
            set pending 1
        else
            set -l longer (string trim -- "$command $word")
            contains -- $longer $known; and set command $longer
        end
    end
    test "$command" = "$argv[1]"
end

# The names of profiles, one a line.
function __halcyon_profiles
    set -l program (commandline -opc)[1]
    $program profiles list --names 2>/dev/null
end

complete -c halcyon -f
${everywhere.map((option) => optionLine("", option)).join("\n")}
${tree.flatMap((command) => linesOf(command, shared)).join("\n")}
`;
}
