import type { Command, Option } from "commander";

/** The values that an option or a command's argument accepts: one of some words, a file, a profile, or anything. */
export type Values = { words: readonly string[] } | "file" | "profile" | "anything";

export interface OptionInfo {
  flag: string;
  description: string;
  /** Null for an option that takes no value. */
  values: Values | null;
}

/** A command or a group of commands, for completion. */
export interface CommandInfo {
  /** The words of the command, such as `keys create`; empty for the program itself. */
  path: string;
  subcommands: { name: string; description: string }[];
  options: OptionInfo[];
  /** The values of the first argument. */
  argument: Values | null;
}

function valuesOf(placeholder: string, words: readonly string[] | undefined): Values {
  if (words) return { words };
  if (/<file>/.test(placeholder)) return "file";
  if (/<profile>/.test(placeholder)) return "profile";
  return "anything";
}

function optionInfo({ long, description, flags, argChoices }: Option): OptionInfo {
  const takesValue = /[<[]/.test(flags);
  const placeholder = long === "--profile" ? "<profile>" : flags;
  return { flag: long ?? flags, description, values: takesValue ? valuesOf(placeholder, argChoices) : null };
}

/** Lists a command and all commands below it, the command itself first. */
export function commandTree(command: Command, path: string[] = []): CommandInfo[] {
  const chain: Command[] = [];
  for (let at: Command | null = command; at; at = at.parent) chain.push(at);
  const [argument] = command.registeredArguments;
  return [
    {
      path: path.join(" "),
      subcommands: command.commands.map((each) => ({ name: each.name(), description: each.description() })),
      options: [
        ...chain.flatMap((each) => each.options).map(optionInfo),
        { flag: "--help", description: "show help", values: null },
      ],
      argument: argument ? valuesOf(`<${argument.name()}>`, argument.argChoices) : null,
    },
    ...command.commands.flatMap((each) => commandTree(each, [...path, each.name()])),
  ];
}
