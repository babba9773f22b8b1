import { type Address, zeroAddress } from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { expect, test } from "vitest";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { deriveViewingKey } from "@/lib/ledger/crypto/keys";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { ChainUnreachable } from "../../api/errors";
import type { Context } from "../../context/context";
import { encryptRequest, storeRequest } from "./create-request";

const payee = `0x${"a1".repeat(20)}` as Address;
const scope = { chainId: 1, ledger: `0x${"b2".repeat(20)}`, domainSalt: `0x${"00".repeat(32)}` } as Scope;
const viewing = deriveViewingKey(new Uint8Array(32).fill(3), scope);
const asset = { symbol: "USDG", decimals: 6, address: zeroAddress };

/** A payee whose wallet is here, with what the service was sent. */
function payeeWith(chainResponds: () => boolean) {
  const sent: { payment_request_id: string }[] = [];
  const privateKey = generatePrivateKey();
  const chain = {
    viewingKey: async () => toHex(viewing.publicKey),
    scope: async () => {
      if (!chainResponds()) throw new ChainUnreachable();
      return scope;
    },
    now: async () => 0n,
    client: { getBlock: async () => ({ timestamp: 1_767_225_600n }) },
    account: async () => ({ signer: privateKeyToAddress(privateKey), until: 1n }),
  };
  const call = async (_method: string, _path: string, { json }: { json: { payment_request_id: string } }) => {
    sent.push(json);
    return { ...json, payee, asset: asset.symbol, asset_address: asset.address };
  };
  const parts = {
    hasWallet: true,
    isViewOnly: false,
    wallet: { address: payee },
    http: { baseUrl: "https://h.example" },
  };
  const context = {
    ...parts,
    asset: async () => asset,
    scope: async () => scope,
    info: async () => ({ network: "test", chainId: 1, assets: [asset] }),
    chain: async () => chain,
    vault: async () => ({ paymentKey: { privateKey } }),
    session: async () => ({ call }),
  } as unknown as Context;
  return { context, sent };
}

test("a request that is stored but can't be verified is reported as one that may exist", async () => {
  const { context, sent } = payeeWith(() => false);
  const encrypted = await encryptRequest(context, { amount: "5" });
  const failed = storeRequest(context, encrypted);
  await expect(failed).rejects.toMatchObject({ name: "ChainUnreachable", mayHaveHappened: true });
  expect(sent).toHaveLength(1);
});

test("an encrypted request that is stored again is the same one, with the same link", async () => {
  let responds = false;
  const { context, sent } = payeeWith(() => responds);
  const encrypted = await encryptRequest(context, { amount: "5" });
  await storeRequest(context, encrypted).catch(() => {});
  responds = true;
  const { link, details } = await storeRequest(context, encrypted);
  expect(sent[1]).toEqual(sent[0]);
  expect(link).toContain(sent[0]?.payment_request_id);
  expect(details?.amount).toBe("5");
});

test("an expiry that is over names this machine's clock and the chain's, because one of them may be wrong", async () => {
  const { context } = payeeWith(() => true);
  const over = encryptRequest(context, { amount: "5", expires: "2020-01-01T00:00:00Z" });
  await expect(over).rejects.toMatchObject({
    param: "expires",
    message: expect.stringMatching(
      /By this machine's clock it is \d{4}-.*, and the newest block is of 2026-01-01T00:00:00/,
    ),
  });
});
