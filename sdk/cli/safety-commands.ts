import type { AbandonResult } from "../abandon";
import type { RotatedBudgetSecret } from "../rotate-budget-secret";
import { withExamples } from "./examples";
import { fields } from "./output";
import type { AddCommand } from "./program";

function showAbandoned({ asset, lost_at_most, notes, credit, ...rest }: AbandonResult): string {
  const lost = lost_at_most === null ? `an amount of ${asset} that nobody knows` : `at most ${lost_at_most} ${asset}`;
  return `${fields({ ...rest })}\n\nLost: ${lost}. Free again: ${notes} ${asset} in notes, ${credit} ${asset} in credit (halcyon allocate).`;
}

function showRotated(result: RotatedBudgetSecret): string {
  const {
    lost = [],
    held_unreadable = [],
    agents_left_out = [],
    agents_unreadable = [],
    unfinished = [],
    ...done
  } = result;
  return [
    fields({ ...done }),
    "",
    ...(result.by === "wallet" ? ["The service did not carry the new spender: your wallet did."] : []),
    ...lost.map(
      ({ account, asset }) => `The ${asset} budget of ${account} does not open: halcyon abandon gives it up.`,
    ),
    ...agents_left_out.map(
      (agent) => `The service does not list your agent ${agent}; its budgets have a fresh salt all the same.`,
    ),
    ...agents_unreadable.map(
      (agent) => `The wallet key of your agent ${agent} does not open: its own keys cannot pay.`,
    ),
    ...held_unreadable.map((id) => `Held payment ${id} does not open: halcyon reject ${id} drops it.`),
    ...unfinished.map(({ what, reason }) => `Not done: ${what}. ${reason}`),
    ...(unfinished.length > 0 ? ["Run this again for what is not done."] : []),
    "Make new API keys with: halcyon keys create --label x",
    "Other clients of this account unlock again.",
  ].join("\n");
}

/** `rotate-budget-secret`, `renew-spender`, `stop-spender`, `abandon`: what ends a compromise. */
export const safetyCommands: AddCommand = (program, reports) => {
  const rotate = withExamples(
    program
      .command("rotate-budget-secret")
      .description("shut out whoever may have learnt the budget secret, and end all API keys (needs the wallet key)"),
    "rotate-budget-secret",
  );
  rotate.action(() => reports.withClient(rotate, (client) => client.rotateBudgetSecret(), showRotated));

  const renew = withExamples(
    program.command("renew-spender").description("let the account's keys sign payments for another year from now"),
    "renew-spender",
  );
  renew.action(() =>
    reports.withClient(
      renew,
      (client) => client.renewSpender(),
      (result) => fields({ ...result }),
    ),
  );

  const stop = withExamples(
    program
      .command("stop-spender")
      .description("in an emergency, without the service: end all signing of payments but the wallet's own")
      .requiredOption("--rpc <url>", "JSON-RPC address of the chain")
      .requiredOption("--ledger <address>", "address of the ledger contract")
      .option("--replace", "put the spender of a new budget secret in its place"),
    "stop-spender --rpc http://127.0.0.1:28545 --ledger 0x5FbDB2315678afecb367f032d93F642f64180aa3",
  );
  stop.action(() =>
    reports.withClient(
      stop,
      (client) => client.stopSpender(stop.opts()),
      (result) =>
        `${fields({ ...result })}\n\nAPI keys cannot pay from your own budget any more; an agent's own wallet still reaches that agent's.\nNext: halcyon rotate-budget-secret, or halcyon recover --to 0x… where there is no service.`,
    ),
  );

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
