import { expect, test } from "vitest";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { HalcyonError, UnreadableResponse } from "./errors";
import { requireSameId } from "./require-same-id";
import { toHalcyonError } from "./to-halcyon-error";

test.each<[string, (response: { notes: string[]; word: string }) => unknown]>([
  ["has no list", () => JSON.parse("{}").notes.map(String)],
  ["has no number", () => BigInt("1.5")],
  ["has no hex", ({ word }) => fromHex(word)],
  ["has no commitment", ({ word }) => hexToCommitment(word)],
  ["has no time", ({ word }) => new Date(word).toISOString()],
])("a response that %s is called that, and not a fault inside", (_, read) => {
  const thrown = (() => {
    try {
      return read({ notes: [], word: "other" });
    } catch (error) {
      return error;
    }
  })();
  const error = toHalcyonError(thrown);
  expect(error).toBeInstanceOf(UnreadableResponse);
  expect(error).toMatchObject({ code: "unavailable", message: expect.stringContaining("A response of the service") });
});

test("a ciphertext that can't be decrypted says that the response is wrong", () => {
  expect(toHalcyonError(new DecryptionFailed("available"))).toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("The service's response is wrong"),
  });
});

test("a response about something else than was asked for is refused, and so is none", async () => {
  const asked = { transfer_id: "tr_1" };
  expect(await requireSameId("transfer_id", "tr_1", Promise.resolve(asked))).toBe(asked);
  for (const other of [{ transfer_id: "tr_2" }, {}, null]) {
    const refused = requireSameId("transfer_id", "tr_1", Promise.resolve(other as typeof asked));
    await expect(refused).rejects.toThrow(HalcyonError);
    await expect(refused).rejects.toMatchObject({ code: "unavailable" });
  }
});
