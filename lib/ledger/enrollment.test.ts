import fc from "fast-check";
import { keccak256 } from "viem";
import { expect, it } from "vitest";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { toHex } from "./crypto/bytes";
import { enrollMessage, signRequestOf } from "./enrollment";

it("an enrollment names the hash of its encrypted account key, and its signature counts on one version of the ledger", () => {
  fc.assert(
    fc.property(scope, bytes(32), bytes(80), address, (sc, accountKey, encryptedAccountKey, account) => {
      const request = { account, accountKey, encryptedAccountKey, paymentKeyUntil: 9n, deadline: 5n };
      const message = enrollMessage(sc, request);
      expect(message.encryptedAccountKeyHash).toBe(keccak256(toHex(encryptedAccountKey)));
      const { typedData } = signRequestOf(sc, "Enroll", message);
      expect(typedData.domain.version).toBe("2");
    }),
    { numRuns: 10 },
  );
});
