import { readFileSync } from "node:fs";
import { type Address, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import type { SpendMode } from "../crypto/terms";
import { NO_END } from "./authority-limits";
import type { LedgerParty, LedgerRecord } from "./ledger-record";
import { type LedgerCall, maySign } from "./may-sign";
import { paymentRoute } from "./payment-route";

const source = readFileSync("contracts/test/Authority.t.sol", "utf8");
const NOW = 1_800_000_000n;
const at = (byte: string) => `0x${byte.repeat(20)}` as Address;
const [alice, paymentKey, agent, signer, stranger] = [at("a1"), at("5e"), at("a9"), at("51"), at("57")];

/** Reads a list of strings from the contract's own table of authority. */
function tableOf(name: string): string[] {
  const [, list = ""] = new RegExp(`private ${name} =\\s*\\[([^\\]]*)\\]`).exec(source) ?? [];
  return [...list.matchAll(/"([^"]*)"/g)].map(([, entry = ""]) => entry);
}

const record = (some: Partial<LedgerRecord>): LedgerRecord => ({
  viewingKey: `0x${"01".repeat(32)}`,
  owner: zeroAddress,
  signer: zeroAddress,
  until: NO_END,
  nonce: 0n,
  policyVersion: 0n,
  guarded: false,
  limited: false,
  ...some,
});

const SIGNERS = [
  "Wallet",
  "PaymentKey",
  "ExpiredPaymentKey",
  "AgentSigner",
  "OldSigner",
  "EndedAgent",
  "Stranger",
] as const;
type Who = (typeof SIGNERS)[number];
const WORLDS = ["P", "p", "R", "A", "a"] as const;
type World = (typeof WORLDS)[number];

/** Builds the party and the signer for a world and a role of the contract's table. */
function arrange(world: World, who: Who): { party: LedgerParty; by: Address } {
  const owner = record({
    signer: paymentKey,
    until: who === "ExpiredPaymentKey" ? NOW - 1n : NOW + 9n,
    guarded: world !== "P" && world !== "A",
    limited: world === "R",
  });
  const signerNow = { AgentSigner: signer, OldSigner: signer, EndedAgent: zeroAddress } as Partial<
    Record<Who, Address>
  >;
  const ofAgent = record({ owner: alice, signer: signerNow[who] ?? agent, limited: true });
  const isAgent = world === "A" || world === "a";
  const by = {
    Wallet: alice,
    PaymentKey: paymentKey,
    ExpiredPaymentKey: paymentKey,
    AgentSigner: signer,
    OldSigner: agent,
    EndedAgent: agent,
    Stranger: stranger,
  }[who];
  const party = isAgent
    ? { address: agent, record: ofAgent, owner: { address: alice, record: owner } }
    : { address: alice, record: owner };
  return { party, by };
}

function may(who: Who, world: World, wallet = "", byPaymentKey = "", bySigner = ""): boolean {
  const list = { Wallet: wallet, PaymentKey: byPaymentKey, AgentSigner: bySigner } as Partial<Record<Who, string>>;
  return list[who]?.includes(world) ?? false;
}

const CALLS: Record<string, LedgerCall & { ends?: boolean }> = {
  setPaymentKey: { struct: "SetPaymentKey" },
  setGuarded: { struct: "SetGuarded" },
  abandon: { struct: "Abandon" },
  makeAvailable: { struct: "MakeAvailable" },
  enrollAgent: { struct: "EnrollAgent" },
  setPolicy: { struct: "SetPolicy" },
  setAgentSigner: { struct: "SetAgentSigner" },
  endAgent: { struct: "SetAgentSigner", ends: true },
  transfer: { struct: "Transfer" },
  release: { struct: "Release" },
  transferMany: { struct: "TransferMany" },
  fund: { struct: "Fund" },
  fundBack: { struct: "Fund" },
};

describe("who may sign", () => {
  const cells = WORLDS.flatMap((world) => SIGNERS.map((who) => ({ world, who })));

  it("is what the contract's own table says, for every function, account and signer", () => {
    const [functions, wallets, paymentKeys] = ["functions", "walletMay", "paymentKeyMay"].map(tableOf);
    expect(functions).toEqual(Object.keys(CALLS));
    for (const { world, who } of cells) {
      const { party, by } = arrange(world, who);
      for (const [index, name] of (functions ?? []).entries()) {
        const call = CALLS[name] as LedgerCall & { ends?: boolean };
        const taken = maySign(call, party, by, NOW, call.ends);
        expect([name, world, who, taken]).toEqual([
          name,
          world,
          who,
          may(who, world, wallets?.[index], paymentKeys?.[index]),
        ]);
      }
    }
  });

  it("is what the contract's own table says of each mode, which is the one that a payment's route names", () => {
    const [wallets, paymentKeys, signers] = ["walletSpends", "paymentKeySpends", "signerSpends"].map(tableOf);
    for (const { world, who } of cells) {
      const { party, by } = arrange(world, who);
      const modes = ([0, 1, 2] as const).filter((mode) => {
        const taken = (["Spend", "SpendPublic"] as const).map((struct) => maySign({ struct, mode }, party, by, NOW));
        const expected = may(who, world, wallets?.[mode], paymentKeys?.[mode], signers?.[mode]);
        expect([world, who, mode, ...taken]).toEqual([world, who, mode, expected, expected]);
        return expected;
      });
      if (!party.record.limited) continue;
      const route = paymentRoute(party, false, by, NOW);
      if (modes.length > 0) expect(route).toEqual({ function: "spend", mode: modes[0] });
      else expect(route).toHaveProperty("refused");
    }
  });

  it("ends with the last second of a signer", () => {
    const { party } = arrange("P", "PaymentKey");
    expect(maySign({ struct: "Transfer" }, party, paymentKey, NOW + 9n)).toBe(true);
    expect(maySign({ struct: "Transfer" }, party, paymentKey, NOW + 10n)).toBe(false);
    expect(maySign({ struct: "Transfer" }, party, zeroAddress, NOW)).toBe(false);
  });
});

describe("the route of a payment", () => {
  const routeIn = (world: World, who: Who, isPublic = false) => {
    const { party, by } = arrange(world, who);
    return paymentRoute(party, isPublic, by, NOW);
  };

  it("is transfer or release of an account that is not limited, else spend or spendPublic in the signer's mode", () => {
    expect(routeIn("P", "PaymentKey")).toEqual({ function: "transfer" });
    expect(routeIn("p", "Wallet", true)).toEqual({ function: "release" });
    expect(routeIn("R", "PaymentKey")).toEqual({ function: "spend", mode: 0 satisfies SpendMode });
    expect(routeIn("R", "Wallet", true)).toEqual({ function: "spend_public", mode: 2 });
    expect(routeIn("A", "AgentSigner")).toEqual({ function: "spend", mode: 0 });
    expect(routeIn("a", "PaymentKey", true)).toEqual({ function: "spend_public", mode: 1 });
    expect(routeIn("a", "Wallet")).toEqual({ function: "spend", mode: 2 });
  });

  it("says why there is none", () => {
    expect(routeIn("P", "ExpiredPaymentKey")).toEqual({ refused: "signer_expired" });
    expect(routeIn("R", "ExpiredPaymentKey")).toEqual({ refused: "signer_expired" });
    expect(routeIn("P", "Stranger")).toEqual({ refused: "not_authorized" });
    expect(routeIn("A", "OldSigner")).toEqual({ refused: "not_authorized" });
    expect(routeIn("A", "EndedAgent")).toEqual({ refused: "agent_ended" });
    const { party } = arrange("A", "EndedAgent");
    expect(paymentRoute(party, false, paymentKey, NOW)).toEqual({ refused: "agent_ended" });
    expect(paymentRoute(party, false, alice, NOW)).toEqual({ function: "spend", mode: 2 });
    const unknown = { address: stranger, record: record({ viewingKey: `0x${"00".repeat(32)}` }) };
    expect(paymentRoute(unknown, false, stranger, NOW)).toEqual({ refused: "not_enrolled" });
  });

  it("takes the mode with the most rules of an address that is more than one signer", () => {
    const { party } = arrange("A", "PaymentKey");
    const both = { ...party, record: { ...party.record, signer: paymentKey } };
    expect(paymentRoute(both, false, paymentKey, NOW)).toEqual({ function: "spend", mode: 0 });
  });
});
