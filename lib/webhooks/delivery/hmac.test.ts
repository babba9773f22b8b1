import { createHmac, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { HmacKey } from "./hmac";

test("signs as the platform's HMAC-SHA256 does, whatever the lengths of key and message", () => {
  for (const keyLength of [0, 1, 32, 50, 63, 64, 65, 200]) {
    const key = randomBytes(keyLength);
    const own = new HmacKey(key);
    for (const length of [0, 1, 55, 56, 63, 64, 65, 500, 5_000, 3]) {
      const message = randomBytes(length).toString("latin1");
      expect(own.sign(message, "hex")).toBe(createHmac("sha256", key).update(message).digest("hex"));
      expect(own.sign(message, "base64")).toBe(createHmac("sha256", key).update(message).digest("base64"));
    }
  }
});

// RFC 4231, test case 2.
test("signs the RFC's example", () => {
  const signed = new HmacKey(Buffer.from("Jefe")).sign("what do ya want for nothing?", "hex");
  expect(signed).toBe("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
});
