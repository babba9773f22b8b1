import fc from "fast-check";
import { keccak256 } from "viem";
import { expect, it } from "vitest";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { toHex } from "./crypto/bytes";
import {
  enrollMessage,
  enrollMessage as firstMessage,
  signRequestOf as firstRequest,
  signRequestOf,
} from "./enrollment";

it("an enrolment says what the first edition's says, and no signature counts on both ledgers", () => {
  fc.assert(
    fc.property(scope, bytes(32), bytes(80), address, (sc, root, sealedRoot, account) => {
      const request = { account, root, sealedRoot, spenderUntil: 9n, deadline: 5n };
      const message = enrollMessage(sc, request);
      expect(message).toEqual(firstMessage(sc, request));
      expect(message.sealedRootHash).toBe(keccak256(toHex(sealedRoot)));
      const { digest, typedData } = signRequestOf(sc, "Enroll", message);
      expect(typedData.domain.version).toBe("2");
      expect(digest).not.toBe(firstRequest(sc, "Enroll", message).digest);
    }),
    { numRuns: 10 },
  );
});
