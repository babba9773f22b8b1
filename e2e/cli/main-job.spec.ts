import { rm } from "node:fs/promises";
import { run } from "../halcyon";
import { expect, test } from "./fixtures";

interface Shown {
  transfer_id: string;
  status: string;
  direction: string;
  amount: string | null;
  memo: string | null;
}

test("a newcomer pays with curl; the recipient alone opens the amount", async ({ person, baseURL }) => {
  const [alice, bob, carol] = [await person("alice", { enroll: false }), await person("bob"), await person("carol")];

  await rm(alice.keyFile);
  const { address } = await alice.json<{ address: string }>("wallet", "new");
  const account = {
    account_id: expect.stringMatching(/^acct_/),
    handle: `@${alice.handle}`,
    public_key: address,
    network: "test",
  };
  expect(await alice.json("signup", "--handle", alice.handle)).toEqual(account);
  // Signing up again changes nothing.
  expect(await alice.json("signup", "--handle", alice.handle)).toEqual(account);
  expect(await alice.json("kyc", "verify")).toEqual({ kyc_status: "verified" });
  const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
  expect(await alice.json("faucet", "--amount", "1000")).toEqual({ tx_hash: hash, asset: "USDG" });
  expect(await alice.json("make-available")).toEqual({ tx_hashes: [hash], notes: 0, amount: "1000" });
  const key = await alice.json<{ key_id: string; api_key: string }>(
    "keys",
    "create",
    "--label",
    "tour",
    "--expires-in",
    "30d",
  );
  expect(key.api_key).toMatch(/^hc_test_[0-9A-Za-z]{49}$/);

  const headers = ["-H", `Authorization: Bearer ${key.api_key}`];
  const body = JSON.stringify({ to: `@${bob.handle}`, amount: "25.5", memo: "for lunch" });
  const posted = await run("curl", ["-s", "-X", "POST", `${baseURL}/v1/transfers`, ...headers, "-d", body]);
  const created = JSON.parse(posted.stdout) as { transfer_id: string; status: string };
  expect(created).toMatchObject({ status: "pending", to: `@${bob.handle}`, confidential: true });
  await expect
    .poll(async () => {
      const got = await run("curl", ["-s", `${baseURL}/v1/transfers/${created.transfer_id}`, ...headers]);
      return (JSON.parse(got.stdout) as { status: string }).status;
    })
    .toBe("confirmed");

  const opened = { transfer_id: created.transfer_id, status: "confirmed", amount: "25.5", memo: "for lunch" };
  const received = await bob.json<{ transfers: Shown[] }>("transfers");
  expect(received.transfers).toEqual([expect.objectContaining({ ...opened, direction: "received" })]);
  const sent = await alice.json<{ transfers: Shown[] }>("transfers", "--limit", "1");
  expect(sent.transfers).toEqual([expect.objectContaining({ ...opened, direction: "sent" })]);
  expect(await carol.json("transfers")).toMatchObject({ transfers: [], has_more: false });
  // No response contains what only bob's machine may know.
  // The seconds of a time, which may be the same digits, follow a colon.
  expect(posted.stdout).not.toMatch(/(?<!:)25\.5|25500000/);
  expect(posted.stdout).not.toContain("lunch");

  const listed = await alice.json<{ keys: { key_id: string; revoked_at: string | null }[] }>("keys", "list");
  expect(listed.keys).toEqual([expect.objectContaining({ key_id: key.key_id, label: "tour", revoked_at: null })]);
  expect(JSON.stringify(listed)).not.toContain(key.api_key);
  expect(await alice.json("keys", "revoke", key.key_id)).toEqual({
    key_id: key.key_id,
    revoked_at: expect.stringMatching(/Z$/),
  });
  const refused = await run("curl", ["-s", "-X", "POST", `${baseURL}/v1/transfers`, ...headers, "-d", body]);
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: "unauthorized" } });
  expect((await bob.json<{ transfers: Shown[] }>("transfers")).transfers).toHaveLength(1);
});

test("received money can be made available, in part and whole, and spent again", async ({ payer, person }) => {
  const alice = await payer("alice", "100");
  const bob = await person("bob");
  await alice.json("send", "--to", `@${bob.handle}`, "--amount", "10");
  await alice.json("send", "--to", bob.address, "--amount", "5", "--idempotency-key", "once");
  // The same idempotency key pays nothing again.
  await alice.json("send", "--to", bob.address, "--amount", "5", "--idempotency-key", "once");

  expect(await bob.json("make-available", "--amount", "3")).toMatchObject({ notes: 1, amount: "3" });
  expect(await bob.error(["send", "--client-signed", "--to", alice.address, "--amount", "4"])).toMatchObject({
    code: "insufficient_balance",
  });
  expect(await bob.json("make-available")).toMatchObject({ notes: 2, amount: "12" });
  expect(await bob.json("make-available")).toEqual({ tx_hashes: [], notes: 0, amount: "0" });
  await bob.json("send", "--client-signed", "--to", `@${alice.handle}`, "--amount", "15");
});

test("an available balance can be set to an amount, less or more; what it no longer holds is its owner's alone again", async ({
  payer,
  person,
}) => {
  const alice = await payer("alice", "100");
  const bob = await person("bob");
  const pay = (amount: string) => ["send", "--to", `@${bob.handle}`, "--amount", amount];
  const one = { tx_hashes: [expect.stringMatching(/^0x[0-9a-f]{64}$/)] };
  expect(await alice.json("make-available", "--available", "40")).toEqual({ ...one, notes: 0, amount: "0" });
  expect(await alice.error(pay("40.000001"))).toMatchObject({ code: "insufficient_balance" });
  expect(await alice.json("make-available", "--available", "40")).toEqual({ tx_hashes: [], notes: 0, amount: "0" });
  expect(await alice.json("make-available", "--available", "90")).toEqual({ ...one, notes: 1, amount: "50" });
  await alice.json(...pay("90"));
  expect(await alice.error(["make-available", "--available", "10.000001"])).toMatchObject({
    code: "insufficient_balance",
  });
  expect(await alice.json("make-available", "--available", "10")).toEqual({ ...one, notes: 1, amount: "10" });
  expect(await alice.json("make-available", "--available", "0")).toEqual({ ...one, notes: 0, amount: "0" });
  expect(await alice.error(pay("0.000001"))).toMatchObject({ code: "insufficient_balance" });
  await alice.json("kyc", "verify");
  expect(await alice.json("balances", "--proof")).toMatchObject({ balances: [{ asset: "USDG", amount: "10" }] });
  expect(await alice.error(["make-available", "--available", "1", "--amount", "1"])).toMatchObject({
    code: "invalid_request",
  });
});
