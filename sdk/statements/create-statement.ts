import { makeStatement } from "@/lib/payments/statements/make-statement";
import type { Statement } from "@/lib/payments/statements/statement";
import type { Context } from "../context/context";
import type { ReadingProgress } from "./chain-history";
import { readMovements } from "./read-movements";
import type { StatementInput } from "./statement-input";

/** Creates a statement on this machine. Implements `statements.create`. */
export async function createStatement(
  context: Context,
  input: StatementInput,
  reading: ReadingProgress = {},
  now = new Date(),
): Promise<Statement> {
  const info = await context.info();
  const { period, end, holders, ...rest } = await readMovements(context, input, reading);
  return makeStatement({
    ...rest,
    network: info.network,
    chain_id: info.chainId,
    ledger: info.ledger.toLowerCase(),
    accounts: holders.map(({ name, address }) => ({ name, address })),
    from: period.from.toISOString(),
    to: period.to.toISOString(),
    time_zone: period.timeZone,
    created_at: now.toISOString(),
    block: end.block.toString(),
    block_time: new Date(end.time * 1000).toISOString(),
  });
}
