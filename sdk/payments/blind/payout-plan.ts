import { HalcyonError } from "../../api/errors";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";
import type { CheckedName } from "../payouts/find-faults";
import { askPlan, type BlindPlan, type Home, type LockWish } from "./home";

/** What the service says of the names of a payout. */
interface Named {
  names: CheckedName[];
  /** The payout that the same request has created. */
  payout_id: string | null;
}

/**
 * Asks the service which accounts names stand for.
 *
 * @param idempotencyKey that of the request that creates the payout
 */
export async function askNames(
  context: Context,
  names: readonly string[],
  idempotencyKey: string | undefined,
): Promise<Named> {
  const asked = { json: { names }, query: { dry_run: "true" }, by: "key" as const, idempotencyKey };
  const named = await callApi<Named>(context, "POST", "/v1/payouts", asked);
  // What an address stands for, no service decides.
  const own = (name: CheckedName) => (name.fault || !name.to.startsWith("0x") ? name : { ...name, address: name.to });
  return { ...named, names: named.names.map(own) };
}

/** Asks the service for the balance that a payout is paid from. */
export function askStateOf(context: Context, home: Home, asset: string, wish?: LockWish): Promise<BlindPlan> {
  return askPlan(context, home, { to: home.scope.ledger }, asset, wish);
}

/** Returns the error for an account whose payments go one by one. */
export function underPolicy(): HalcyonError {
  return new HalcyonError(
    "key_forbidden",
    "Under a policy payments go one by one. The wallet alone signs several at once.",
  );
}
