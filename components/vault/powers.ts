import type { MethodName, VaultPower } from "./protocol";

/** Methods that unlock the vault themselves. */
export const OPENING: readonly MethodName[] = ["unlock", "enroll"];

/** Methods that need only the viewing key: they read payments and authorize nothing. */
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

/** Returns whether a vault in this state can run a method. */
export function allows(power: VaultPower, method: MethodName): boolean {
  return power === "unlocked" || (power === "reading" && READING.includes(method));
}
