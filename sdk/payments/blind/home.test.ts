import { expect, test } from "vitest";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { HomeContent } from "@/lib/ledger/encrypted/blind-key";
import { generateHomeKey } from "@/lib/ledger/encrypted/home-key";
import { HalcyonError } from "../../api/errors";
import { toHalcyonError } from "../../api/to-halcyon-error";
import type { Context } from "../../context/context";
import { askPlan, type BlindPlan, decryptState, type Home, homeContent } from "./home";

const scope = { chainId: 46630, ledger: `0x${"11".repeat(20)}`, domainSalt: `0x${"22".repeat(32)}` } as const;
const home: Home = { scope, homeKey: generateHomeKey(46630), keyHash: new Uint8Array(32), sign: () => "0x" };
const plan: BlindPlan = {
  account: scope.ledger,
  secret_version: 1,
  home_wrap: "0x00",
  recipient: scope.ledger,
  commitment: commitmentToHex(7n),
  state: null,
  policy: null,
};

/** Asks a service that responds with this error. */
const asked = (code: "not_found" | "recipient_not_found") => {
  const send = () => Promise.reject(new HalcyonError(code, "said"));
  return askPlan({ http: { send }, bearer: {} } as unknown as Context, home, { to: "@bob" });
};

/** Returns the error that a caller gets. */
function thrown(work: () => unknown): HalcyonError {
  try {
    work();
  } catch (error) {
    return toHalcyonError(error);
  }
  throw new Error("nothing was thrown");
}

test("a service that is older or newer than this program is named as that, and nothing is sent to it", async () => {
  await expect(asked("not_found")).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringMatching(/older/),
  });
  await expect(asked("recipient_not_found")).rejects.toMatchObject({ code: "recipient_not_found" });
  const { home_wrap: _, ...without } = plan;
  const error = thrown(() => homeContent(home, without as BlindPlan));
  expect(error).toMatchObject({ name: "UnreadableResponse", message: expect.stringMatching(/Update this client/) });
});

test("keys and a balance that a newer version has written say so", () => {
  expect(thrown(() => homeContent(home, plan)).message).toContain("update this program");
  const content = { holder: scope.ledger, knowledge: new Uint8Array(32) } as unknown as HomeContent;
  const newer = { ...plan, state: `0x04${"00".repeat(600)}` } as BlindPlan;
  expect(thrown(() => decryptState(home, content, scope.ledger, newer))).toMatchObject({
    code: "sync_required",
    message: expect.stringContaining("update this program"),
  });
});
