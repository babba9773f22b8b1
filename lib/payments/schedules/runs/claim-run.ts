import type { Tx } from "@/db/client";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { lockRun, type RunRow, updateRun } from "./run-rows";

/** Returns the same error for a run that is unknown, another account's or of the other network. */
export function noSuchRun(param?: string): ApiError {
  return new ApiError("not_found", "There is no such run of a schedule. List a schedule's runs to find it.", {
    param,
  });
}

/** Returns the error for a run that can't be paid now. */
export function notPayable(message: string): ApiError {
  return new ApiError("run_not_payable", message);
}

const REFUSED: Record<Exclude<RunRow["status"], "due" | "missed">, string> = {
  planned: "This run is not due yet.",
  paying: "This run is being paid. Look at its transfers.",
  paid: "This run has been paid.",
  skipped: "This run was skipped.",
  cancelled: "The schedule of this run has ended.",
};

/**
 * Claims a run for the payment of this transaction. Of concurrent payments only one succeeds, and if its payment is not
 * recorded, the run stays as it was. Call it before any balance is locked.
 *
 * @param late whether a missed run may be paid, because its owner asks for it
 * @throws ApiError `not_found`, `run_not_payable`
 */
export async function claimRun(
  tx: Tx,
  ctx: Pick<Context, "chainId"> & { account: Pick<ContextAccount, "id"> },
  runId: string,
  { late }: { late: boolean },
): Promise<RunRow> {
  const run = await lockRun(tx, runId);
  if (!run || run.accountId !== ctx.account.id || run.chainId !== ctx.chainId) throw noSuchRun("schedule_run");
  if (run.status !== "due" && run.status !== "missed") throw notPayable(REFUSED[run.status]);
  if (run.status === "missed" && !late) {
    throw notPayable("This run was missed. Send `late: true` to pay it now all the same.");
  }
  await updateRun(tx, run, { status: "paying", failure: null });
  return run;
}
