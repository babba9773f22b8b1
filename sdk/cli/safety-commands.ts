import type { AbandonResult } from "../recovery/abandon";
import type { Resalted } from "../recovery/account-secret/resalt";
import type { RotatedAccountSecret } from "../recovery/account-secret/rotate-account-secret";
import { fields } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

function showAbandoned({ asset, lost_at_most, notes, deposited, ...rest }: AbandonResult): string {
  const lost = lost_at_most === null ? `an amount of ${asset} that no one knows` : `at most ${lost_at_most} ${asset}`;
  return `${fields({ ...rest })}\n\nLost: ${lost}. You can make available again: ${notes} ${asset} received, ${deposited} ${asset} deposited (halcyon make-available).`;
}

/** Returns a line for each balance that can't be decrypted and each step that failed. */
export function notRenewed({ lost, unfinished }: Pick<Resalted, "lost" | "unfinished">): string[] {
  return [
    ...lost.map(
      ({ account, asset }) =>
        `The available ${asset} balance of ${account} can't be decrypted: give it up with halcyon abandon.`,
    ),
    ...unfinished.map(({ what, reason }) => `Not done: ${what}. ${reason}`),
    ...(unfinished.length > 0 ? ["Run this command again to finish what is not done."] : []),
  ];
}

function showRotated(result: RotatedAccountSecret): string {
  const {
    lost = [],
    held_unreadable = [],
    schedules_unreadable = [],
    agents_left_out = [],
    unfinished = [],
    ...done
  } = result;
  return [
    fields({ ...done }),
    "",
    ...(result.by === "wallet" ? ["The service did not send the new payment key, so your wallet did."] : []),
    ...agents_left_out.map(
      (agent) =>
        `The service does not list your agent ${agent}; its available balances were re-encrypted all the same.`,
    ),
    ...held_unreadable.map(
      (id) => `Payment ${id}, awaiting approval, can't be decrypted: reject it with halcyon reject ${id}.`,
    ),
    ...schedules_unreadable.map(
      (id) => `Schedule ${id} can't be decrypted: end it with halcyon schedules end ${id}, and create another.`,
    ),
    ...notRenewed({ lost, unfinished }),
    "Create new API keys with: halcyon keys create --label x",
    "Unlock this account again wherever else you use it.",
  ].join("\n");
}

/** `rotate-account-secret`, `renew-payment-key`, `stop-payment-key`, `abandon`: the commands after a compromise. */
export const safetyCommands: AddCommand = (program, reports) => {
  const rotate = withExamples(
    program
      .command("rotate-account-secret")
      .description("replace the account secret after a leak; revokes all API keys (needs the wallet key)"),
    "rotate-account-secret",
  );
  rotate.action(() => reports.withClient(rotate, (client) => client.security.rotateAccountSecret(), showRotated));

  const renew = withExamples(
    program
      .command("renew-payment-key")
      .description("let the account's API keys sign payments for another year from now"),
    "renew-payment-key",
  );
  renew.action(() =>
    reports.withClient(
      renew,
      (client) => client.security.renewPaymentKey(),
      (result) => fields({ ...result }),
    ),
  );

  const stop = withExamples(
    program
      .command("stop-payment-key")
      .description("in an emergency, without the service: end all signing of payments except by the wallet")
      .requiredOption("--rpc <url>", "JSON-RPC address of the chain")
      .requiredOption("--ledger <address>", "address of the ledger contract")
      .option("--replace", "register the payment key of a new account secret in its place"),
    "stop-payment-key --rpc http://127.0.0.1:28545 --ledger 0x5FbDB2315678afecb367f032d93F642f64180aa3",
  );
  stop.action(() =>
    reports.withClient(
      stop,
      (client) => client.security.stopPaymentKey(stop.opts()),
      (result) =>
        `${fields({ ...result })}\n\nAPI keys can no longer pay from your own available balance; an agent's own wallet can still pay from that agent's.\nNext: halcyon rotate-account-secret, or halcyon recover --to 0x… if the service is gone.`,
    ),
  );

  const abandon = withExamples(
    program
      .command("abandon")
      .description(
        "give up an available balance that can't be decrypted, so that you can make other money available again",
      )
      .option("--asset <asset>", "asset", "USDG")
      .option("--agent <name>", "this agent's available balance"),
    "abandon",
    "abandon --agent bot --asset ETH",
  );
  abandon.action(() =>
    reports.withClient(abandon, (client) => client.security.abandonBalance(abandon.opts()), showAbandoned),
  );
};
