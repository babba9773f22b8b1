import { randomBytes } from "@/lib/ledger/crypto/bytes";

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** A schedule's id: `sch_` and a ULID. It stands in what is encrypted, so the client that encrypts chooses it. */
export function newScheduleId(now = Date.now()): string {
  let time = "";
  for (let left = now, place = 0; place < 10; place++) {
    time = DIGITS.charAt(left % 32) + time;
    left = Math.floor(left / 32);
  }
  const random = Array.from(randomBytes(16), (byte) => DIGITS.charAt(byte % 32)).join("");
  return `sch_${time}${random}`;
}
