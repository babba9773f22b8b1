import type { AbandonResult } from "../abandon";
import { withExamples } from "./examples";
import { fields } from "./output";
import type { AddCommand } from "./program";

function showAbandoned({ asset, lost_at_most, notes, credit, ...rest }: AbandonResult): string {
  const lost = lost_at_most === null ? `an amount of ${asset} that nobody knows` : `at most ${lost_at_most} ${asset}`;
  return `${fields({ ...rest })}\n\nLost: ${lost}. Free again: ${notes} ${asset} in notes, ${credit} ${asset} in credit (halcyon allocate).`;
}

/** `abandon`: what ends a compromise beside the rotation. */
export const safetyCommands: AddCommand = (program, reports) => {
  const abandon = withExamples(
    program
      .command("abandon")
      .description("give up a budget that no longer opens, so that notes and credit can be allocated again")
      .option("--asset <asset>", "asset", "USDG")
      .option("--agent <name>", "the budget of this agent"),
    "abandon",
    "abandon --agent bot --asset ETH",
  );
  abandon.action(() => reports.withClient(abandon, (client) => client.abandon(abandon.opts()), showAbandoned));
};
