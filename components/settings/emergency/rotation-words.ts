import type { RotatedAccountSecret } from "@/sdk/recovery/account-secret/rotate-account-secret";

/** Returns what a rotation does now, in words. */
export function stepOf(done: number): string {
  return (
    [
      "Reading your account from the chain",
      "Replacing the payment key. Your wallet signs.",
      "Replacing agents' keys, and encrypting balances again. Your wallet signs.",
      "Encrypting what waits again",
    ][done] ?? "Finishing"
  );
}

type Left = Pick<
  RotatedAccountSecret,
  "lost" | "held_unreadable" | "schedules_unreadable" | "agents_left_out" | "unfinished"
>;

/** Returns a sentence for everything that a rotation could not do. */
export function rotationLeft(result: Left): string[] {
  const { lost = [], held_unreadable = [], schedules_unreadable = [], agents_left_out = [], unfinished = [] } = result;
  return [
    ...lost.map(({ account, asset }) => `The available ${asset} balance of ${account} can't be decrypted: give it up.`),
    ...held_unreadable.map((id) => `Payment ${id}, which waits for approval, can't be decrypted: reject it.`),
    ...schedules_unreadable.map((id) => `Schedule ${id} can't be decrypted: end it, and create another.`),
    ...agents_left_out.map((agent) => `The service does not list your agent ${agent}: end it with the command line.`),
    ...unfinished.map(({ what, reason }) => `Not done: ${what}. ${reason}`),
    ...(unfinished.length > 0 ? ["Continue to finish what is not done."] : []),
  ];
}
