import type { MethodName, VaultPower } from "./protocol";

/** Methods that open the vault themselves. */
export const OPENING: readonly MethodName[] = ["unlock", "enroll"];

/** Methods for which the viewing key alone suffices: they read payments, and authorize nothing. */
export const READING: readonly MethodName[] = [
  "checkPayment",
  "checkPaymentRequests",
  "exportTransfers",
  "findPayments",
  "moved",
  "openPaymentRequest",
  "openTransfer",
  "pastPayments",
  "recipient",
  "spending",
  "statement",
  "walletBalance",
];

/** Whether a vault of this power runs a method. */
export function allows(power: VaultPower, method: MethodName): boolean {
  return power === "unlocked" || (power === "reading" && READING.includes(method));
}
