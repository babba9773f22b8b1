import { HalcyonError } from "../api/errors";
import type { RecoverInput, RecoverResult } from "../recovery/recover";
import { EXIT, EXIT_STATUS, type ExitStatus } from "./exit-status";
import { integer } from "./option-values";
import { table } from "./output";
import type { AddCommand } from "./program";
import { withExamples } from "./with-examples";

interface RecoverOptions {
  rpc: string;
  ledger: string;
  to?: string;
  abandon?: boolean;
  dust?: boolean;
  fromBlock?: number;
  account?: string;
  recoveryCodeFile?: string;
  backupFile?: string;
}

const amounts = (balances: RecoverResult["balances"]) =>
  balances.map(({ asset, amount }) => `${amount} ${asset}`).join(", ") || "nothing";

type Lost = NonNullable<RecoverResult["lost"]>[number];

/** Says what is lost with one available balance, and what is blocked behind it. */
function lostLine({ account, asset, lost_at_most: most, notes, deposited }: Lost): string {
  const lost = most === null ? `an amount of ${asset} that no one knows` : `at most ${most} ${asset}`;
  return `The available ${asset} balance of ${account} can't be decrypted: ${lost}. Blocked behind it: ${notes} ${asset} received and ${deposited} deposited.`;
}

function lostLines(lost: readonly Lost[], withdrawn: boolean, abandoned: boolean): string[] {
  if (lost.length === 0) return [];
  const next = withdrawn
    ? "To give up these balances for good and withdraw the money behind them, run this again with --abandon."
    : "--to withdraws everything else; add --abandon to also withdraw the money behind these balances.";
  return ["", "Lost:", ...lost.map(lostLine), ...(abandoned ? [] : [next])];
}

function failedLines({ failed = [] }: RecoverResult): string[] {
  const lines = failed.map(({ account, asset, step, reason }) => `${step} of ${asset}, ${account}: ${reason}`);
  return lines.length === 0 ? [] : ["", "Not done; everything else continued. Run this again to retry:", ...lines];
}

function dustLines({ dust = [] }: RecoverResult): string[] {
  return dust.map(
    ({ account, asset, notes, amount }) =>
      `Left with ${account}: ${amount} ${asset} in ${notes} received payments smaller than their gas. --dust withdraws them too.`,
  );
}

function unclaimedLines({ unclaimed = [] }: RecoverResult): string[] {
  return unclaimed.map(
    ({ account, asset, amount, taken_before: until }) =>
      `Paid by ${account} in public and not taken by its seller: ${amount} ${asset}. The seller may take it until ${until}; --to withdraws it afterwards.`,
  );
}

function show(result: RecoverResult, abandoned: boolean): string {
  const { balances, agents = [], lost = [], steps, left, unreadable } = result;
  const rows = balances.map(({ asset, amount }) => [asset, amount]);
  const moved = (steps ?? []).map((each) => [each.account, each.asset, each.step, each.tx_hash]);
  return [
    table(["asset", "amount"], rows, "The ledger shows no money in this account."),
    ...agents.map((agent) => `of which agent ${agent.address}: ${amounts(agent.balances)}`),
    ...(unreadable ? [`Not counted, because it can't be decrypted: something in ${unreadable.join(", ")}.`] : []),
    ...(steps ? ["", table(["account", "asset", "step", "transaction"], moved, "Nothing to withdraw.")] : []),
    ...failedLines(result),
    ...lostLines(lost, steps !== undefined, abandoned),
    ...dustLines(result),
    ...(steps ? [] : unclaimedLines(result)),
    ...(left ? [`Left, because only the account's own wallet can withdraw it: ${amounts(left)}.`] : []),
  ].join("\n");
}

/** Returns the exit status: that some of the money could not be withdrawn is no success, whatever else could. */
export function statusOfRecovered({ failed = [] }: Pick<RecoverResult, "failed">): ExitStatus {
  const [first] = failed;
  return first ? EXIT_STATUS[first.code] : EXIT.done;
}

/** Reads the recovery code and the backup from files. A backup names its account. */
async function inputOf(options: RecoverOptions): Promise<RecoverInput> {
  const { rpc, ledger, to, abandon, dust, recoveryCodeFile, backupFile } = options;
  const fromBlock = options.fromBlock === undefined ? undefined : BigInt(options.fromBlock);
  const { readBackup, readRecoveryCode } = await import("./recovery-files");
  const recoveryCode = recoveryCodeFile === undefined ? undefined : await readRecoveryCode(recoveryCodeFile);
  const input = { rpc, ledger, to, abandon, dust, fromBlock, account: options.account, recoveryCode };
  if (backupFile === undefined) return input;
  const backup = await readBackup(backupFile);
  const isOther = (given: string | undefined, named: string) =>
    given !== undefined && given.toLowerCase() !== named.toLowerCase();
  if (isOther(ledger, backup.ledger) || isOther(options.account, backup.account)) {
    throw new HalcyonError(
      "invalid_request",
      `This backup is of account ${backup.account} on ledger ${backup.ledger}, not the one --account and --ledger name.`,
    );
  }
  return { ...input, account: backup.account, backup: backup.encrypted };
}

/** `recover`. */
export const recoverCommands: AddCommand = (program, reports) => {
  const recover = withExamples(
    program
      .command("recover")
      .description("find all your money from chain data alone, and withdraw it with --to; works without the service")
      .requiredOption("--rpc <url>", "JSON-RPC address of the chain")
      .requiredOption("--ledger <address>", "address of the ledger contract")
      .option("--to <address>", "withdraw everything to this address (the wallet pays the gas)")
      .option("--abandon", "with --to: give up balances that can't be decrypted, and withdraw the money behind them")
      .option("--dust", "with --to: also withdraw received payments smaller than their gas, at the end")
      .option(
        "--from-block <number>",
        "first block to read (default: the block of the account's registration)",
        integer,
      )
      .option(
        "--account <address>",
        "the account, if it is not this wallet's; only available balances can then be withdrawn",
      )
      .option(
        "--recovery-code-file <file>",
        "decrypt the account key with the recovery code in this file (- reads standard input)",
      )
      .option(
        "--backup-file <file>",
        "a backup saved by the dashboard; decrypt it with its code, or with the wallet it was created for",
      ),
    "recover --rpc http://127.0.0.1:28545 --ledger 0x5FbDB2315678afecb367f032d93F642f64180aa3",
    "recover --rpc http://127.0.0.1:28545 --ledger 0x5FbDB2315678afecb367f032d93F642f64180aa3 --backup-file safe.json --wallet-key-file second.key",
  );
  recover.action(() => {
    const options = recover.opts<RecoverOptions>();
    return reports.withClient(
      recover,
      async (client, _, say) => {
        const onProgress = (block: bigint, last: bigint) => say(`reading the chain: block ${block} of ${last}`);
        return client.recovery.run({ ...(await inputOf(options)), onProgress });
      },
      (result) => show(result, options.abandon === true),
      statusOfRecovered,
    );
  });
};
