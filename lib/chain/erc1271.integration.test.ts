import { eq } from "drizzle-orm";
import { keccak256, toHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { createSiweMessage } from "viem/siwe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { operations } from "@/db/schema/chain";
import { setGuarded } from "@/lib/agents/set-guarded";
import { verifySiwe } from "@/lib/http/auth/verify-siwe";
import { signAuthority } from "@/lib/ledger/authority/sign-authority";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { createTransfer } from "@/lib/payments/create-transfer";
import { paidTransfer } from "@/lib/payments/paid-transfer";
import { seconds } from "@/test/accounts/available-holder";
import { deployWallet } from "@/test/accounts/contract-wallet";
import { Owner, settled } from "@/test/accounts/owner";
import { startWorkingServices } from "@/test/services/working-services";
import { isValidSignature, isWalletSignature } from "./erc1271";
import { CONTRACT_WALLET_GAS, GAS_LIMIT } from "./gas";
import { relayerAccount } from "./relayer";

const CHAIN = 46630;
const MAGIC = "0x1626ba7e";
let services: Awaited<ReturnType<typeof startWorkingServices>>;

beforeAll(async () => {
  services = await startWorkingServices();
});

afterAll(() => services?.stop());

describe("a contract's word on a signature", () => {
  const digest = keccak256(toHex("anything"));
  const key = privateKeyToAccount(generatePrivateKey());
  const word = (text: string) => `${text}${"00".repeat(34 - text.length / 2 - 1)}`;

  test("counts for what its code accepts, and for nothing else", async () => {
    const wallet = await deployWallet(CHAIN, "KeyWallet", [key.address]);
    const signature = await key.sign({ hash: digest });
    expect(await isValidSignature(CHAIN, wallet, digest, signature)).toBe(true);
    expect(await isWalletSignature(CHAIN, wallet, digest, signature)).toBe(true);
    expect(await isValidSignature(CHAIN, wallet, keccak256(digest), signature)).toBe(false);
    expect(await isValidSignature(CHAIN, wallet, digest, "0x01")).toBe(false);
  });

  test.each<[string, string, boolean]>([
    ["the word that says yes", word(MAGIC), false],
    ["more than a word", `${word(MAGIC)}ff`, false],
  ])("may be %s", async (_, content, reverts) => {
    const wallet = await deployWallet(CHAIN, "FixedWallet", [content, reverts]);
    expect(await isValidSignature(CHAIN, wallet, digest, "0x01")).toBe(true);
  });

  test.each<[string, string, boolean]>([
    ["another word", word("0xffffffff"), false],
    ["less than a word", MAGIC, false],
    ["nothing", "0x", false],
    ["the right word in a revert", word(MAGIC), true],
    ["a word with something behind the selector", `${word(MAGIC).slice(0, -2)}01`, false],
  ])("is none when it returns %s", async (_, content, reverts) => {
    const wallet = await deployWallet(CHAIN, "FixedWallet", [content, reverts]);
    expect(await isValidSignature(CHAIN, wallet, digest, "0x01")).toBe(false);
  });

  test("is none when it burns all gas, and none of an address without code", async () => {
    expect(await isValidSignature(CHAIN, await deployWallet(CHAIN, "BurningWallet"), digest, "0x01")).toBe(false);
    expect(await isValidSignature(CHAIN, key.address, digest, "0x01")).toBe(false);
    // A key has no code, and another key's signature is not its own.
    const other = privateKeyToAccount(generatePrivateKey());
    expect(await isWalletSignature(CHAIN, key.address, digest, await key.sign({ hash: digest }))).toBe(true);
    expect(await isWalletSignature(CHAIN, key.address, digest, await other.sign({ hash: digest }))).toBe(false);
  });
});

describe("an account whose wallet is a contract", () => {
  const gasOf = async (id: string) => (await db().select().from(operations).where(eq(operations.id, id)))[0]?.gas;
  const byContract = (kind: keyof typeof GAS_LIMIT) => GAS_LIMIT[kind] + CONTRACT_WALLET_GAS;

  test("signs in, enrolls, is paid, makes money available, pays and is guarded, with gas for its code", async () => {
    const payer = await Owner.funded(CHAIN, 100_000_000n);
    const treasury = await Owner.create(CHAIN, (key) => deployWallet(CHAIN, "KeyWallet", [key]));
    const enrollment = await treasury.enroll();
    expect(await settled(enrollment)).toEqual(["confirmed"]);
    expect(await gasOf(enrollment)).toBe(byContract("enroll"));
    const pay = async (from: Owner, to: Owner, amount: string) => {
      const input = { to: `@${to.account.handle}`, amount, asset: "USDG" as const, confidential: true };
      return paidTransfer(await createTransfer(await from.key(), input)).row.operationId;
    };
    expect(await settled(await pay(payer, treasury, "30"))).toEqual(["confirmed"]);
    const makingAvailable = await treasury.makeAvailable();
    expect(await settled(makingAvailable)).toEqual(["confirmed"]);
    expect(await gasOf(makingAvailable)).toBe(byContract("make_available"));
    // The payment key is a key, so no contract is called.
    const payment = await pay(treasury, payer, "4");
    expect(await settled(payment)).toEqual(["confirmed"]);
    expect(await gasOf(payment)).toBe(GAS_LIMIT.transfer);
    expect((await treasury.decryptAvailable()).limit).toBe(26_000_000n);
    const draft = { kind: "set_guarded", guarded: true, account: treasury.address, nonce: "1" } as const;
    const deadline = seconds(3_600).toString();
    const document = await signAuthority<"set_guarded">(
      treasury.scope,
      { ...draft, deadline },
      keySigner(treasury.walletKey),
    );
    expect(await settled((await setGuarded(treasury.session, document)).id)).toEqual(["confirmed"]);
    const [record] = await db().select().from(ledgerAccounts).where(eq(ledgerAccounts.address, treasury.address));
    expect(record).toMatchObject({ guarded: true, nonce: 2n });
    const message = createSiweMessage({
      domain: "halcyon.example",
      address: treasury.address,
      uri: "https://halcyon.example",
      version: "1",
      chainId: CHAIN,
      nonce: "0123456789abcdef",
      issuedAt: new Date(),
    });
    const signature = await treasury.wallet.signMessage({ message });
    expect(await verifySiwe({ message, signature }, "https://halcyon.example", new Date())).toMatchObject({
      address: treasury.address,
      onlyOn: CHAIN,
    });
  });

  test("is none that sends the service's transactions: the ledger would take the sender for the signer", async () => {
    const relayer = relayerAccount(CHAIN, 2).address.toLowerCase() as `0x${string}`;
    const owner = await Owner.create(CHAIN, async () => relayer);
    await expect(owner.enroll()).rejects.toMatchObject({ code: "invalid_request", param: "payment_key" });
  });
});
