import type { Context } from "@/sdk/context";
import { type RenewedSpender, renewSpender as renew } from "@/sdk/renew-spender";

/** Lets the account's keys sign payments for another year; the wallet signs it. Returns when the chain shows it. */
export function renewSpender(context: Context): Promise<RenewedSpender> {
  return renew(context);
}
