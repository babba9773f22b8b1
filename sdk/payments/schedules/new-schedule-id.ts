import { randomBytes } from "@/lib/ledger/crypto/bytes";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/**
 * Returns a new schedule id: `sch_` and a ULID. The client chooses it, because the encrypted schedule is bound to its
 * id.
 */
export function newScheduleId(now = Date.now()): string {
  let time = "";
  for (let left = now, place = 0; place < 10; place++) {
    time = DIGITS.charAt(left % 32) + time;
    left = Math.floor(left / 32);
  }
  const random = Array.from(randomBytes(16), (byte) => DIGITS.charAt(byte % 32)).join("");
  return `sch_${time}${random}`;
}
