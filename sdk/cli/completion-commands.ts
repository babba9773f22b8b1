import { Argument } from "commander";
import { commandTree } from "./command-tree";
import { bashCompletion, zshCompletion } from "./completion";
import { fishCompletion } from "./fish-completion";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

/** `completion bash`, `completion zsh`, `completion fish`. */
export const completionCommands: AddCommand = (program, reports) => {
  const completion = withExamples(
    program
      .command("completion")
      .description("print a script that completes commands, options and profiles in your shell")
      .addArgument(new Argument("<shell>", "which shell").choices(Object.keys(SCRIPTS))),
    "completion bash > ~/.local/share/bash-completion/completions/halcyon",
    "completion zsh > ~/.zsh/completions/_halcyon",
    "completion fish > ~/.config/fish/completions/halcyon.fish",
  );
  completion.action((shell: keyof typeof SCRIPTS) =>
    reports.local(
      completion,
      async () => ({ script: SCRIPTS[shell](commandTree(program)) }),
      ({ script }) => script.trimEnd(),
    ),
  );
};
