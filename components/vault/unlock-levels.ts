import type { MethodName, VaultPower } from "./protocol";

/** Methods that unlock the vault themselves. */
export const OPENING: readonly MethodName[] = ["unlock", "enroll", "rotateSecret"];

/** Methods that need the wallet and no keys of the vault, so that they run while it is locked. */
export const KEYLESS: readonly MethodName[] = ["stopSigning"];

/** Methods that need only the viewing key: they read payments and authorize nothing. */
const READING: readonly MethodName[] = [
  "checkPayment",
  "checkPaymentRequests",
  "exportTransfers",
  "findPayments",
  "moved",
  "decryptPaymentRequest",
  "openTransfer",
  "pastPayments",
  "recipient",
  "spending",
  "statement",
  "walletBalance",
];

/** Returns whether a vault in this state can run a method. */
export function allows(power: VaultPower, method: MethodName): boolean {
  return power === "unlocked" || KEYLESS.includes(method) || (power === "reading" && READING.includes(method));
}

/** Methods that change nothing, besides {@link READING}. */
const CHANGELESS: readonly MethodName[] = [
  "agentSpending",
  "availableLoss",
  "checkPayout",
  "earnings",
  "exportPayoutRows",
  "funds",
  "held",
  "makeReceipt",
  "decryptLowBalance",
  "decryptPayoutRows",
  "decryptSchedules",
  "payoutLeft",
  "previewProofOfFunds",
  "refundable",
  "encryptLowBalance",
  "encryptPaymentRequest",
  "encryptSchedule",
  "testBackup",
  "unlock",
  "verifyBalances",
];

/** Methods of {@link CHANGELESS} for which the wallet may sign. */
const SIGNED: readonly MethodName[] = ["testBackup", "unlock"];

/** Returns whether a method changes nothing and never asks the wallet. */
export function isReadOnly(method: MethodName): boolean {
  return [READING, CHANGELESS].some((methods) => methods.includes(method)) && !SIGNED.includes(method);
}

/** Methods that move money. The page keeps a record of what has left (`RunOptions.onPending`), which says the outcome. */
const RECORDED: readonly MethodName[] = [
  "makeAvailable",
  "approveHeld",
  "deposit",
  "payPayout",
  "payScheduleRun",
  "refund",
  "send",
  "withdraw",
];

/** Returns whether a run of this method that is cut off may have made its change, with nothing that says so later. */
export function leavesOpen(method: MethodName): boolean {
  return ![READING, CHANGELESS, RECORDED].some((methods) => methods.includes(method));
}
