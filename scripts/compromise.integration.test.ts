import { eq, inArray } from "drizzle-orm";
import {
  type Address,
  createTestClient,
  createWalletClient,
  erc20Abi,
  type Hex,
  http,
  walletActions,
  zeroAddress,
} from "viem";
import { generatePrivateKey, privateKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { operations } from "@/db/schema/chain";
import { apiKeys } from "@/db/schema/keys";
import { assetBySymbol } from "@/lib/base/assets";
import { env } from "@/lib/base/env";
import { testUsdgBytecode } from "@/lib/chain/abi/bytecode";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { testUsdgAbi } from "@/lib/chain/abi/test-usdg";
import { publicClient } from "@/lib/chain/clients";
import { EMPTY_AVAILABLE, readAvailableCommitment } from "@/lib/ledger/crypto/commitments";
import { deriveAuthority, derivePaymentKey } from "@/lib/ledger/crypto/keys";
import { SPEND_MODE } from "@/lib/ledger/crypto/terms";
import { ENCRYPTED_HELD_LENGTH } from "@/lib/ledger/encrypted/held";
import { lowerCase } from "@/lib/ledger/prepare/next-state";
import { createTransfer } from "@/lib/payments/create-transfer";
import type { NetworkDocument } from "@/sdk/api/network-info";
import { PinMismatch } from "@/sdk/api/pin-mismatch";
import { keyWallet } from "@/sdk/chain/key-wallet";
import type { Context } from "@/sdk/context/context";
import { makeAvailable } from "@/sdk/payments/funding/make-available";
import { send } from "@/sdk/payments/send";
import { decryptBalance } from "@/sdk/payments/transfers/decrypt";
import { receipt, verifyReceipt } from "@/sdk/payments/transfers/receipt";
import { abandon, availableLoss } from "@/sdk/recovery/abandon";
import { rotateAccountSecret } from "@/sdk/recovery/account-secret/rotate-account-secret";
import { recover } from "@/sdk/recovery/recover";
import { stopPaymentKey } from "@/sdk/recovery/stop-payment-key";
import { Agent } from "@/test/accounts/agent";
import { type AvailableHolder, seconds } from "@/test/accounts/available-holder";
import { Owner, settled } from "@/test/accounts/owner";
import { ledgerSays } from "@/test/attacks/forgery";
import { poisonCall, poisonFunding } from "@/test/attacks/poison";
import { sendFromFaucet } from "@/test/chain/send-from-faucet";
import { type ClientSettings, clientOf, type Meddle, MemoryPins } from "@/test/services/in-process-service";
import { FAUCET_KEY } from "@/test/services/local-env";
import { startWorkingServices, type WorkingServices } from "@/test/services/working-services";

const CHAIN = 46630;
let services: WorkingServices;
let stranger: Owner;

beforeAll(async () => {
  services = await startWorkingServices();
  stranger = await Owner.create(CHAIN);
  await settled(await stranger.enroll());
});
afterAll(() => services?.stop());

const rpcUrl = () => env().chains.test.rpcUrl;
const usdg = () => assetBySymbol(CHAIN).address;

/**
 * Creates an account with an available balance, one received note and deposited money, in units. Its wallet can pay
 * gas.
 */
async function somebody(available: bigint, note = 0n, deposited = 0n): Promise<Owner> {
  const owner = await Owner.funded(CHAIN, available + note);
  if (note > 0n) await settled(await owner.makeAvailable(available));
  if (deposited > 0n) {
    await settled(await owner.mint((deposited / 1_000_000n + 1n).toString()));
    await settled(await owner.deposit(deposited));
  }
  await giveGas(owner.address);
  return owner;
}

async function giveGas(address: Address): Promise<void> {
  const client = createTestClient({ mode: "anvil", transport: http(rpcUrl()) });
  await client.setBalance({ address, value: 10n ** 18n });
}

const client = (owner: Owner, settings: ClientSettings = {}) => clientOf(owner.walletKey, rpcUrl(), settings);

const recovering = (owner: Owner, context: Context, more: object = {}) => {
  const input = { rpc: rpcUrl(), ledger: owner.scope.ledger, ...more };
  return recover(
    () => context.wallet,
    () => context.prover(),
    input,
  );
};

const paymentKeyOf = (owner: Owner) => derivePaymentKey(owner.authority, owner.scope).privateKey;

/** Moves USDG from the owner's available balance to an agent's. */
async function agentGets(owner: Owner, agent: Agent, amount: string): Promise<void> {
  const to = `@${agent.account.handle}`;
  await createTransfer(await owner.key(), { asset: "USDG", confidential: true, to, amount });
  await settled(...(await operationsOf(owner, agent)));
}

async function operationsOf(...holders: AvailableHolder[]): Promise<string[]> {
  const mine = inArray(
    operations.account,
    holders.map(({ address }) => address),
  );
  const rows = await db().select({ id: operations.id }).from(operations).where(mine);
  return rows.map(({ id }) => id);
}

const ledgerQuery = () => ({ address: stranger.scope.ledger, abi: ledgerAbi }) as const;

const commitmentOf = ({ address }: AvailableHolder) =>
  publicClient(CHAIN).readContract({ ...ledgerQuery(), functionName: "availableOf", args: [address, usdg()] });

const paymentKeyOnChain = async ({ address }: Owner) =>
  (await publicClient(CHAIN).readContract({ ...ledgerQuery(), functionName: "account", args: [address] })).signer;

const paidTo = (address: Address) =>
  publicClient(CHAIN).readContract({ address: usdg(), abi: erc20Abi, functionName: "balanceOf", args: [address] });

test("a poisoned available balance costs that available balance alone: recovery withdraws all else, and says exactly what is lost", async () => {
  const owner = await somebody(10_000_000n, 50_000_000n, 20_000_000n);
  const context = await client(owner);
  await sendFromFaucet(CHAIN, await poisonCall(owner, stranger, paymentKeyOf(owner)));
  const lost = {
    account: context.wallet.address,
    asset: "USDG",
    lost_at_most: "9.999999",
    notes: "50",
    deposited: "20",
  };
  expect(await recovering(owner, context)).toEqual({
    balances: [{ asset: "USDG", amount: "70" }],
    lost: [lost],
    unreadable: ["USDG"],
  });
  const to = privateKeyToAddress(generatePrivateKey());
  const done = await recovering(owner, context, { to, abandon: true });
  expect(done.steps?.map(({ step }) => step)).toEqual(["abandon", "make_available", "release"]);
  expect(done.lost).toEqual([lost]);
  expect(await paidTo(to)).toBe(70_000_000n);
});

test("recovery continues past a poisoned agent: all other available balances are paid out first, and what waits behind it stays until it is given up", async () => {
  const owner = await somebody(10_000_000n);
  const { agent, operationId } = await Agent.create(owner);
  await settled(operationId);
  const context = await client(owner);
  await agentGets(owner, agent, "4");
  await sendFromFaucet(CHAIN, await poisonFunding(agent, paymentKeyOf(owner)));
  const to = privateKeyToAddress(generatePrivateKey());
  const first = await recovering(owner, context, { to });
  expect(first.steps?.map(({ account, step }) => [account.toLowerCase(), step])).toEqual([[owner.address, "release"]]);
  expect(first.lost).toMatchObject([{ lost_at_most: null, notes: "0", deposited: "0" }]);
  expect(await paidTo(to)).toBe(5_999_999n);
});

test.each([
  ["the agent's key", SPEND_MODE.agent, (agent: Agent) => agent.ownKey],
  ["the owner's payment key, as an approval", SPEND_MODE.approved, (agent: Agent) => paymentKeyOf(agent.owner)],
] as const)(
  "invariant 23: a payment that nobody can read, signed by %s, costs an agent's available balance nothing but its amount",
  async (_, mode, keyOf) => {
    const owner = await somebody(10_000_000n);
    const { agent, operationId } = await Agent.create(owner);
    await settled(operationId);
    const context = await client(owner);
    await agentGets(owner, agent, "4");
    await sendFromFaucet(CHAIN, await poisonCall(agent, stranger, keyOf(agent), mode));
    const to = privateKeyToAddress(generatePrivateKey());
    const done = await recovering(owner, context, { to });
    expect(done.lost ?? []).toEqual([]);
    expect(await paidTo(to)).toBe(9_999_999n);
  },
);

test("invariant 23: while an account is guarded its keys cannot spoil the available balances of its agents by moving money to them", async () => {
  const owner = await somebody(10_000_000n);
  const { agent, operationId } = await Agent.create(owner);
  await settled(operationId);
  await agentGets(owner, agent, "4");
  const args = [owner.address, true, seconds(600), "0x"] as const;
  const wallet = createWalletClient({ account: owner.wallet, transport: http(rpcUrl()) });
  const call = { address: owner.scope.ledger, abi: ledgerAbi, functionName: "setGuarded", args, chain: null } as const;
  await publicClient(CHAIN).waitForTransactionReceipt({ hash: await wallet.writeContract(call) });
  const poison = await poisonFunding(agent, paymentKeyOf(owner));
  expect(await ledgerSays(owner, stranger.address, poison)).toBe("NotAuthorized");
  const to = privateKeyToAddress(generatePrivateKey());
  const done = await recovering(owner, await client(owner), { to });
  expect(done.lost ?? []).toEqual([]);
  expect(await paidTo(to)).toBe(10_000_000n);
});

test("a lost available balance is given up through the service, and its notes and deposited money can be made available again; one that opens is not", async () => {
  const owner = await somebody(10_000_000n, 50_000_000n, 20_000_000n);
  const context = await client(owner);
  expect(await availableLoss(context)).toBeNull();
  await expect(abandon(context)).rejects.toMatchObject({ code: "invalid_request" });
  await sendFromFaucet(CHAIN, await poisonCall(owner, stranger, paymentKeyOf(owner)));
  const loss = { account: owner.address, asset: "USDG", lost_at_most: "9.999999", notes: "50", deposited: "20" };
  expect(await availableLoss(context)).toEqual(loss);
  await expect.poll(() => makeAvailable(context).catch(({ code }) => code)).toBe("sync_required");
  expect(await abandon(context)).toEqual({ ...loss, tx_hash: expect.stringMatching(/^0x[0-9a-f]{64}$/) });
  await expect.poll(() => makeAvailable(context).catch(() => null)).toMatchObject({ notes: 1 });
  expect((await owner.decryptAvailable()).limit).toBe(70_000_000n);
});

test("a service that does not carry the end of a lost available balance, or lies about it, does not keep the owner from it", async () => {
  const owner = await somebody(3_000_000n);
  const lies: Meddle[] = [
    async () => Response.json({ error: { code: "unavailable", message: "Later." } }, { status: 503 }),
    async () =>
      Response.json({ operation_id: "op_x", kind: "abandon", status: "confirmed", tx_hash: `0x${"00".repeat(32)}` }),
  ];
  for (const lie of lies) {
    await makeAvailable(await client(owner)).catch(() => {});
    await sendFromFaucet(CHAIN, await poisonCall(owner, stranger, paymentKeyOf(owner)));
    const meddle: Meddle = (request, honest) =>
      /available-balances.abandon|operations/.test(request.url) ? lie(request, honest) : honest();
    const context = await client(owner, { meddle, relayPatience: 0 });
    expect(await abandon(context)).toMatchObject({ lost_at_most: expect.any(String) });
    expect(await availableLoss(context)).toBeNull();
    await settled(await owner.mint("2"));
    await settled(await owner.deposit(2_000_000n));
  }
});

test("a service that gives up a lost available balance and says otherwise does not have the wallet give up the next one", async () => {
  const owner = await somebody(3_000_000n, 2_000_000n);
  await sendFromFaucet(CHAIN, await poisonCall(owner, stranger, paymentKeyOf(owner)));
  // The service knows of it. Before that, it would refuse to give the balance up, and the wallet rightly does it alone.
  const own = await client(owner);
  await expect.poll(() => makeAvailable(own).catch(({ code }) => code)).toBe("sync_required");
  const context = await client(owner, {
    meddle: async (request, honest) => {
      if (!request.url.includes("/available-balances/abandon")) return honest();
      await settled(((await (await honest()).json()) as { operation_id: string }).operation_id);
      await expect.poll(async () => makeAvailable(await client(owner)).catch(() => null)).toMatchObject({ notes: 1 });
      // The service has taken it; a block has it later. Until then, the chain shows what was asked for.
      await expect.poll(async () => readAvailableCommitment(await commitmentOf(owner))).not.toBe(EMPTY_AVAILABLE);
      return Response.json({ error: { code: "unavailable", message: "Later." } }, { status: 503 });
    },
  });
  await expect(abandon(context)).rejects.toMatchObject({ code: "unavailable" });
  expect((await owner.decryptAvailable()).limit).toBe(2_000_000n);
});

test("recovery leaves dust to the end and to the caller for it, whatever a stranger has sprinkled", async () => {
  const owner = await somebody(1_000_000n, 2_000_000n);
  const context = await client(owner);
  const payer = await somebody(3_000_000n);
  const key = await payer.key();
  for (const amount of ["0.000001", "0.000002"]) {
    await createTransfer(key, { asset: "USDG", confidential: true, to: owner.address, amount });
  }
  await settled(...(await operationsOf(payer)));
  // Nine notes are more than one move to the available balance can take.
  for (let at = 0; at < 8; at++) {
    await createTransfer(key, { asset: "USDG", confidential: true, to: owner.address, amount: "0.02" });
  }
  await settled(...(await operationsOf(payer)));
  const to = privateKeyToAddress(generatePrivateKey());
  const first = await recovering(owner, context, { to });
  expect(first.steps?.map(({ step }) => step)).toEqual(["release", "make_available", "make_available", "release"]);
  expect(first.dust).toBeUndefined();
  expect(await paidTo(to)).toBe(3_160_003n);
  await createTransfer(key, { asset: "USDG", confidential: true, to: owner.address, amount: "0.000004" });
  await settled(...(await operationsOf(payer)));
  const second = await recovering(owner, context, { to });
  expect(second.steps).toEqual([]);
  expect(second.dust).toEqual([{ account: context.wallet.address, asset: "USDG", notes: 1, amount: "0.000004" }]);
  expect((await recovering(owner, context, { to, dust: true })).steps).toHaveLength(2);
  expect(await paidTo(to)).toBe(3_160_007n);
});

test("an asset that was listed later, of other units and with USDG's symbol, is withdrawn with the rest", async () => {
  const owner = await somebody(10_000_000n);
  const { ledger } = owner.scope;
  const call = createTestClient({ mode: "anvil", transport: http(rpcUrl()) }).extend(walletActions);
  const faucet = privateKeyToAccount(FAUCET_KEY);
  const mined = async (hash: Hex) => publicClient(CHAIN).waitForTransactionReceipt({ hash });
  const deploying = { abi: testUsdgAbi, bytecode: testUsdgBytecode, args: [faucet.address] } as const;
  const { contractAddress: token } = await mined(
    await call.deployContract({ ...deploying, account: faucet, chain: null }),
  );
  if (!token) throw new Error("no token was deployed");
  const listed = { address: ledger, abi: ledgerAbi, account: faucet, chain: null } as const;
  await mined(await call.writeContract({ ...listed, functionName: "listAsset", args: [token, 100n, 10n ** 9n] }));
  const asset = { address: token, abi: testUsdgAbi, chain: null } as const;
  const minted = [owner.address, 5_000_000n] as const;
  await mined(await call.writeContract({ ...asset, account: faucet, functionName: "mint", args: minted }));
  const allowed = [ledger, 5_000_000n] as const;
  await mined(await call.writeContract({ ...asset, account: owner.wallet, functionName: "approve", args: allowed }));
  const paidIn = { ...listed, account: owner.wallet, functionName: "deposit", args: [token, 5_000_000n] } as const;
  await mined(await call.writeContract(paidIn));

  const to = privateKeyToAddress(generatePrivateKey());
  const { balances, steps } = await recovering(owner, await client(owner), { to });
  expect(balances).toEqual([
    { asset: usdg(), amount: "10" },
    { asset: token, amount: "5" },
  ]);
  expect(steps?.map(({ asset: of, step }) => [of, step])).toEqual([
    [usdg(), "release"],
    [token, "make_available"],
    [token, "release"],
  ]);
  const received = { address: token, abi: erc20Abi, functionName: "balanceOf", args: [to] } as const;
  expect([await paidTo(to), await publicClient(CHAIN).readContract(received)]).toEqual([10_000_000n, 5_000_000n]);
});

test("a rotation shuts out the old secret although an agent is poisoned and a held payment is garbage: both are named", async () => {
  const owner = await somebody(10_000_000n);
  const [good, bad] = await Promise.all([1, 2].map(() => Agent.create(owner, { hitlThreshold: 0n })));
  if (!good || !bad) throw new Error("two agents are needed");
  await settled(good.operationId, bad.operationId);
  await agentGets(owner, good.agent, "2");
  await agentGets(owner, bad.agent, "3");
  const asked = { asset: "USDG", confidential: true, to: owner.address, amount: "0.5" } as const;
  for (let at = 0; at < 2; at++) await createTransfer(await good.agent.key(), asked);
  const [garbage] = await db().select().from(heldPayments).where(eq(heldPayments.rootId, owner.account.id));
  const encrypted = `0x${"00".repeat(ENCRYPTED_HELD_LENGTH)}` as const;
  await db()
    .update(heldPayments)
    .set({ encrypted })
    .where(eq(heldPayments.id, garbage?.id ?? ""));
  const commitments = () => Promise.all([owner, good.agent, bad.agent].map((one) => commitmentOf(one)));
  await sendFromFaucet(CHAIN, await poisonFunding(bad.agent, paymentKeyOf(owner)));
  const before = await commitments();
  const old = derivePaymentKey(owner.authority, owner.scope).address;

  const context = await client(owner);
  const done = await rotateAccountSecret(context);
  expect(done).toMatchObject({ secret_version: 2, by: "service", available_balances: 2, held: 1 });
  expect(done.lost).toEqual([{ account: bad.agent.address, asset: "USDG" }]);
  expect(done.held_unreadable).toEqual([garbage?.id]);
  expect(done.unfinished).toBeUndefined();
  const after = await commitments();
  expect(after.map((commitment, at) => commitment === before[at])).toEqual([false, false, true]);
  expect(await paymentKeyOnChain(owner)).not.toBe(old);
  const keys = await db().select().from(apiKeys).where(eq(apiKeys.accountId, owner.account.id));
  expect(keys.every(({ revokedAt, wrap }) => revokedAt !== null && wrap === null)).toBe(true);
  // The old payment key can't sign any more, and with the stolen wallet key of the agent nothing can be proved over the
  // new available balance.
  await expect.poll(async () => (await decryptBalance(context, {})).total).toBe("4.999999");
  await abandon(context, { agent: `@${bad.agent.account.handle}` });
  // Run again: only available balances that were garbage before are left to name.
  expect(await rotateAccountSecret(await client(owner))).toMatchObject({ secret_version: 3, available_balances: 2 });
});

test("a service that carries nothing, or hides an agent, keeps no one from ending the old payment key and re-salting every available balance", async () => {
  const owner = await somebody(10_000_000n);
  const { agent, operationId } = await Agent.create(owner);
  await settled(operationId);
  await agentGets(owner, agent, "4");
  const before = [await commitmentOf(owner), await commitmentOf(agent)];
  const hides: Meddle = async (request, honest) => {
    const { pathname } = new URL(request.url);
    return pathname === "/v1/accounts/me/agents" && request.method === "GET" ? Response.json({ agents: [] }) : honest();
  };
  const hidden = await rotateAccountSecret(await client(owner, { meddle: hides, relayPatience: 240 }));
  expect(hidden).toMatchObject({ by: "service", available_balances: 2, agents_left_out: [agent.address] });
  const between = [await commitmentOf(owner), await commitmentOf(agent)];
  expect(between.filter((commitment) => before.includes(commitment))).toEqual([]);

  const silent: Meddle = async (request, honest) => {
    if (new URL(request.url).pathname === "/api/network") return honest();
    return Response.json({ error: { code: "unavailable", message: "Later." } }, { status: 503 });
  };
  const alone = await rotateAccountSecret(await client(owner, { meddle: silent, relayPatience: 0 }));
  expect(alone).toMatchObject({ by: "wallet", available_balances: 2, tx_hash: expect.stringMatching(/^0x/) });
  expect(alone.unfinished).toHaveLength(1);
  expect(
    [await commitmentOf(owner), await commitmentOf(agent)].filter((commitment) => between.includes(commitment)),
  ).toEqual([]);
  // The service still reports the previous version, so no client works with it.
  await expect((await client(owner)).vault()).rejects.toMatchObject({ code: "key_forbidden" });
  expect(await rotateAccountSecret(await client(owner))).toMatchObject({ by: "service", available_balances: 2 });
  expect((await (await client(owner)).vault()).secretVersion).toBeGreaterThan(alone.secret_version);
});

test("a service that lies about an asset changes no amount: nothing is paid or shown, and the error says what differs", async () => {
  const owner = await somebody(10_000_000n);
  const honest = await client(owner);
  const payment = { to: stranger.address, amount: "0.01", clientSigned: true };
  const { transfer_id } = (await send(honest, payment)) as { transfer_id: string };
  const proof = await receipt(honest, transfer_id);
  const before = await commitmentOf(owner);
  type Assets = NetworkDocument["assets"];
  const change = (symbol: string, to: Partial<Assets[number]>) => (assets: Assets) =>
    assets.map((asset) => (asset.symbol === symbol ? { ...asset, ...to } : asset));
  const swapped = (assets: Assets) =>
    assets.map((asset, at) => ({ ...asset, symbol: assets.at(at - 1)?.symbol ?? "" }));
  const lies: [lie: (assets: Assets) => Assets, error: string][] = [
    [change("USDG", { decimals: 9 }), "says that USDG has 9 decimals, and its amounts have 6."],
    [change("ETH", { decimals: 6 }), "says that ETH has 6 decimals, and its amounts have 9."],
    [change("USDG", { unit: "1000" }), "says that USDG has units of 1000, and the ledger counts in units of 1."],
    [change("ETH", { unit: "1" }), "says that ETH has units of 1, and the ledger counts in units of 1000000000."],
    [change("USDG", { address: owner.scope.ledger }), "and the ledger does not list it."],
    [swapped, "and the chain has another asset there."],
  ];
  for (const [lie, error] of lies) {
    const meddle: Meddle = async (request, honestly) => {
      const response = await honestly();
      if (new URL(request.url).pathname !== "/api/network") return response;
      const network = (await response.json()) as NetworkDocument;
      return Response.json({ ...network, assets: lie(network.assets) });
    };
    const differs = { code: "unavailable", message: expect.stringContaining(error) };
    const lied = await client(owner, { meddle });
    await expect(send(lied, payment)).rejects.toMatchObject(differs);
    await expect(verifyReceipt(lied, proof.receipt)).rejects.toMatchObject(differs);
  }
  expect(await commitmentOf(owner)).toBe(before);
  expect(await verifyReceipt(honest, proof.receipt)).toMatchObject({ amount: "0.01", asset: "USDG" });
});

test("clients refuse the version of a secret whose payment key is not the ledger's, and one older than they have seen", async () => {
  const owner = await somebody(1_000_000n);
  const pins = new MemoryPins();
  await rotateAccountSecret(await client(owner, { pins }));
  const older: Meddle = async (request, honest) => {
    const response = await honest();
    if (new URL(request.url).pathname !== "/v1/accounts/me") return response;
    return Response.json({ ...(await response.json()), secret_version: 1 });
  };
  await expect((await client(owner, { meddle: older })).vault()).rejects.toMatchObject({ code: "key_forbidden" });
  expect((await (await client(owner, { pins })).vault()).secretVersion).toBe(2);
  // Makes another secret of the same account key current, as an RPC that lies together with the service would.
  const next = lowerCase(derivePaymentKey(deriveAuthority(owner.accountKey, owner.scope, 1), owner.scope).address);
  const call = {
    functionName: "setPaymentKey",
    args: [owner.address, next, seconds(86_400), seconds(600), "0x"],
  } as const;
  const wallet = createWalletClient({ account: owner.wallet, transport: http(rpcUrl()) });
  const hash = await wallet.writeContract({ address: owner.scope.ledger, abi: ledgerAbi, ...call, chain: null });
  await publicClient(CHAIN).waitForTransactionReceipt({ hash });
  await expect((await client(owner, { meddle: older, pins })).vault()).rejects.toBeInstanceOf(PinMismatch);
});

test("without any service the wallet ends the payment key, or puts a fresh one there", async () => {
  const owner = await somebody(1_000_000n);
  const wallet = keyWallet(owner.walletKey);
  const where = { rpc: rpcUrl(), ledger: owner.scope.ledger };
  expect(await stopPaymentKey(wallet, where)).toMatchObject({ payment_key: null });
  expect(await paymentKeyOnChain(owner)).toBe(zeroAddress);
  await expect((await client(owner)).vault()).rejects.toMatchObject({ code: "key_forbidden" });
  const { payment_key: paymentKey } = await stopPaymentKey(wallet, { ...where, replace: true });
  expect(paymentKey).toBe(derivePaymentKey(deriveAuthority(owner.accountKey, owner.scope, 2), owner.scope).address);
  expect(await rotateAccountSecret(await client(owner))).toMatchObject({ secret_version: 3, available_balances: 1 });
});

test("a client whose wallet needs no person renews a payment key that ends within 30 days", async () => {
  const owner = await somebody(1_000_000n);
  const untilNow = async () =>
    (await (await client(owner)).chain()).account(owner.address).then((record) => record.until);
  const soon = seconds(20 * 86_400);
  const paymentKey = lowerCase(derivePaymentKey(owner.authority, owner.scope).address);
  const call = { functionName: "setPaymentKey", args: [owner.address, paymentKey, soon, seconds(600), "0x"] } as const;
  const wallet = createWalletClient({ account: owner.wallet, transport: http(rpcUrl()) });
  const hash = await wallet.writeContract({ address: owner.scope.ledger, abi: ledgerAbi, ...call, chain: null });
  await publicClient(CHAIN).waitForTransactionReceipt({ hash });
  expect(await untilNow()).toBe(soon);
  await (await client(owner)).vault();
  await expect.poll(untilNow).toBeGreaterThan(seconds(360 * 86_400));
});
