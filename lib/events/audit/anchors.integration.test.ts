import { setTimeout as sleep } from "node:timers/promises";
import { createTestClient, type Hex, http, parseEther, zeroAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { db, sql } from "@/db/client";
import { maintain } from "@/db/maintain";
import { boundAt, readPartitions, timeOfId } from "@/db/partitions";
import { auditHeads, auditLog } from "@/db/schema/audit";
import { env } from "@/lib/base/env";
import { newId } from "@/lib/base/ids";
import { kmsEnv } from "@/lib/base/kms-env";
import { setAnchorAccount } from "@/lib/chain/anchor-account";
import { publicClient } from "@/lib/chain/clients";
import { kmsAccount } from "@/lib/chain/kms/kms-account";
import { ANCHOR_POSITION, relayerAccount } from "@/lib/chain/relayer";
import { asOwner } from "@/test/services/as-owner";
import { startKms } from "@/test/services/kms-double";
import { secretOf } from "@/test/services/local-env";
import { type LocalServices, startLocalServices } from "@/test/services/local-services";
import { withSettings } from "@/test/services/with-settings";
import { dayNumber, readAnchorCalldata, startOf } from "./anchor-calldata";
import { anchorHeads } from "./anchor-heads";
import { rootOfProof } from "./anchor-tree";
import { appendAudit, SYSTEM } from "./append";
import { getAnchor } from "./get-anchor";
import { FIRST_HASH, hashEntry } from "./hash-entry";
import { verifyAnchors } from "./verify-anchors";
import { verifyAuditChains } from "./verify-audit-chains";

const CHAIN = 46630;
/** The first of the days that these tests anchor, in order. Nothing else is anchored. */
const FIRST = dayNumber(new Date()) - 3;
const noon = (day: number) => new Date(startOf(day).getTime() + 12 * 3_600_000);
const [alice, bob, carol] = [newId("account"), newId("account"), newId("account")];
/** When the verification runs, and how long entries are kept then. */
let verifies: { at: Date; auditDays: number | null } = { at: noon(FIRST + 2), auditDays: null };
let services: LocalServices;
/** When the partition ends that the migration created for the rows it found. */
let firstEnd: number;
/** The time of the ids of new entries: in the month in which the database was migrated, until that is dropped. */
let writesAt = () => Math.min(Date.now(), firstEnd - 1);

/** Writes an entry. */
async function append(rootId: string, day: number, target = "agent_1"): Promise<void> {
  const isSet = vi.isFakeTimers();
  if (!isSet) vi.useFakeTimers({ toFake: ["Date"], now: writesAt() });
  try {
    await db().transaction((tx) =>
      appendAudit(tx, { rootId, chainId: CHAIN, actor: SYSTEM, action: "agent.paused", target }, noon(day)),
    );
  } finally {
    if (!isSet) vi.useRealTimers();
  }
}

/** Writes an entry as the role of web and worker could: its hash is right, its position is arbitrary. */
async function writeEntry(rootId: string, position: number, previousHash: Hex, [id, createdAt]: [Date, Date]) {
  const entry = {
    id: boundAt("audit_log", id) + newId("audit").slice(-16),
    ...{ rootId, chainId: CHAIN, position, previousHash, createdAt, ...SYSTEM },
    ...{ action: "agent.paused", target: "agent_1", before: null, after: null },
  };
  const hash = hashEntry(entry);
  await db()
    .insert(auditLog)
    .values({ ...entry, hash });
  return { id: entry.id, hash };
}

/** Removes entries again. */
const unwrite = (...ids: string[]) =>
  asOwner(async (owner) => {
    await owner`set session_replication_role = replica`;
    await owner`delete from audit_log where id in ${owner(ids)}`;
  });

const verified = () => verifyAnchors(CHAIN, verifies.at, verifies);

const account = () => relayerAccount(CHAIN, ANCHOR_POSITION).address;
const transactionsSent = () => publicClient(CHAIN).getTransactionCount({ address: account(), blockTag: "latest" });

/** Anchors a day, and waits until the transaction is mined. */
async function anchorOn(day: number, expected: number): Promise<void> {
  // A broadcast may get lost: as in the worker, the next call repeats it.
  for (let look = 0; (await transactionsSent()) < expected; look += 1) {
    if (look % 40 === 0) await anchorHeads(CHAIN, noon(day)).catch(() => {});
    await sleep(20);
  }
}

const rowOf = async (day: number) => {
  const [row] = await sql()<{ tx_hash: Buffer }[]>`
    select tx_hash from audit_anchors where chain_id = ${CHAIN} and day = ${day}`;
  const transaction = await publicClient(CHAIN).getTransaction({ hash: `0x${row?.tx_hash.toString("hex")}` });
  return { transaction };
};

/** Runs statements as the database's owner, returns what the verifications report, and undoes everything. */
async function afterTampering(...statements: string[]): Promise<{ chains: string[]; anchors: string[] }> {
  const tables = ["audit_log", "audit_heads", "audit_anchors", "audit_anchor_leaves", "audit_checkpoints"];
  return asOwner(async (owner) => {
    await owner`set session_replication_role = replica`;
    for (const table of tables) await owner.unsafe(`create table kept_${table} as table ${table}`);
    try {
      for (const statement of statements) expect((await owner.unsafe(statement)).count).toBeGreaterThan(0);
      const { broken } = await verifyAuditChains();
      const { problems } = await verified();
      return { chains: broken.map(({ problem }) => problem), anchors: problems };
    } finally {
      for (const table of tables) {
        await owner.unsafe(`delete from ${table}; insert into ${table} table kept_${table}; drop table kept_${table}`);
      }
    }
  });
}

beforeAll(async () => {
  services = await startLocalServices();
  const [first] = await readPartitions(sql(), "audit_log");
  firstEnd = timeOfId("audit_log", first?.end ?? "").getTime();
  while ((await publicClient(CHAIN).getBalance({ address: account() })) === 0n) await sleep(20);
  for (const rootId of [alice, bob]) for (let n = 0; n < 3; n++) await append(rootId, FIRST - 1);
  await anchorOn(FIRST, 1);
  await append(alice, FIRST);
  await anchorOn(FIRST + 1, 2);
  await anchorOn(FIRST + 2, 3);
});
afterAll(() => services?.stop());

describe("the anchor of a day", () => {
  test("is a transaction of its account to itself that says as much on every day: tag, day, root", async () => {
    for (const day of [FIRST, FIRST + 1, FIRST + 2]) {
      const { transaction } = await rowOf(day);
      expect(transaction).toMatchObject({ from: account().toLowerCase(), to: account().toLowerCase(), value: 0n });
      expect(transaction.input).toHaveLength(2 + 2 * 40);
      expect(readAnchorCalldata(transaction.input)?.day).toBe(day);
    }
  });

  test("is made once, and not before the entries of the day before have settled", async () => {
    await Promise.all([1, 2, 3].map(() => anchorHeads(CHAIN, noon(FIRST + 2))));
    await anchorHeads(CHAIN, new Date(startOf(FIRST + 3).getTime() + 60_000));
    expect(await transactionsSent()).toBe(3);
    expect(await sql()`select day from audit_anchors where chain_id = ${CHAIN}`).toHaveLength(3);
  });

  test("holds the chains that have grown since, and continues without any", async () => {
    const leaves = await sql()<{ root_id: string; position: string; day: number }[]>`
      select root_id, position, day from audit_anchor_leaves where chain_id = ${CHAIN} order by day, root_id, position`;
    expect(leaves.map(({ root_id, position, day }) => [root_id, Number(position), day - FIRST])).toEqual(
      [
        [alice, 3, 0],
        [bob, 3, 0],
        [alice, 4, 1],
      ].sort((a, b) => Number(a[2]) - Number(b[2]) || (String(a[0]) < String(b[0]) ? -1 : 1)),
    );
  });

  test("is all an owner needs, with a proof that names no one else and hides how many there are", async () => {
    const account = { id: bob, handle: "bob", address: zeroAddress, type: "personal", rootId: bob } as const;
    const more = { rootAddress: zeroAddress, createdAt: noon(FIRST) };
    const session = { actor: "session", sessionId: "s", network: "test", chainId: CHAIN, requestId: "r" } as const;
    const {
      proof,
      txHash,
      account: sender,
    } = await getAnchor({
      ...session,
      clientAddress: null,
      account: { ...account, ...more },
    });
    const { transaction } = await rowOf(FIRST);
    expect([txHash, sender.toLowerCase()]).toEqual([transaction.hash, transaction.from]);
    expect(proof).toMatchObject({ chainId: CHAIN, day: FIRST, position: 3 });
    const root = readAnchorCalldata(transaction.input)?.root;
    expect(rootOfProof(bob, proof)).toBe(root);
    expect(proof.path).toHaveLength(10);
    expect(rootOfProof(alice, proof)).not.toBe(root);
    expect(rootOfProof(bob, { ...proof, position: 2 })).not.toBe(root);
    expect(rootOfProof(bob, { ...proof, day: FIRST + 1 })).not.toBe(root);
  });
});

describe("the verification against the anchors", () => {
  test("passes over a log as it was written, today's entries included", async () => {
    await append(bob, FIRST + 2);
    expect(await verifyAnchors(CHAIN, noon(FIRST + 2))).toMatchObject({ days: 3, problems: [] });
    expect(await afterTampering("update audit_heads set position = position")).toEqual({ chains: [], anchors: [] });
  });

  const cut = [
    `delete from audit_log where root_id = '${alice}' and position > 2`,
    `update audit_heads h set position = 2, hash = l.hash from audit_log l
      where h.root_id = '${alice}' and l.root_id = h.root_id and l.position = 2`,
  ];

  test("finds a chain that its writer cut short or wrote again, which the chain of hashes alone does not show", async () => {
    const { chains, anchors } = await afterTampering(...cut);
    expect(chains).toEqual([]);
    expect(anchors.map((problem) => problem.slice(0, alice.length + 9))).toEqual([
      `${alice}: entry 3`,
      `${alice}: entry 4`,
    ]);
  });

  test("finds leaves that were made to fit", async () => {
    const { anchors } = await afterTampering(...cut, `delete from audit_anchor_leaves where root_id = '${alice}'`);
    expect(anchors).toEqual([
      expect.stringMatching(/^what was anchored on .* was changed in the database$/),
      expect.stringMatching(/^what was anchored on .* was changed in the database$/),
      expect.stringContaining("was written after its anchor"),
    ]);
  });

  test("finds entries that were made to look as if their time was over", async () => {
    const gone = [
      `insert into audit_checkpoints (root_id, chain_id, position, hash) select root_id, chain_id, position, hash
        from audit_log where root_id = '${bob}' and position = 3`,
      `delete from audit_log where root_id = '${bob}' and position <= 3`,
    ];
    expect(await afterTampering(...gone)).toEqual({
      chains: [],
      anchors: [`${bob}: entries up to 3 have left the log, and without AUDIT_RETENTION_DAYS none do`],
    });
    for (const [days, found] of [
      [30, [`${bob}: entries up to 3 have left the log before they were anchored for 30 days`]],
      [3, [`${bob}: entries up to 3 have left the log before they were anchored for 3 days`]],
      [2, []],
    ] as const) {
      verifies = { at: noon(FIRST + 2), auditDays: days };
      expect((await afterTampering(...gone)).anchors).toEqual(found);
    }
    verifies = { at: noon(FIRST + 2), auditDays: null };
  });

  test("finds an anchor that was taken out of the database, or points elsewhere", async () => {
    expect((await afterTampering(`delete from audit_anchors where day = ${FIRST}`)).anchors).toContain(
      "anchor 0 is on chain and not in the database, which is older or was changed",
    );
    const swapped = `update audit_anchors set tx_hash = (select tx_hash from audit_anchors where day = ${FIRST + 1}) where day = ${FIRST}`;
    expect((await afterTampering(swapped)).anchors[0]).toMatch(
      /^the anchor of .* is not on chain as the database has it$/,
    );
  });

  test("finds entries that were written afterwards and dated back", async () => {
    const mallory = newId("account");
    await append(mallory, FIRST - 1);
    expect((await verifyAnchors(CHAIN, noon(FIRST + 2))).problems).toEqual([
      expect.stringMatching(new RegExp(`^${mallory}: entry 1 is dated before .* and was written after its anchor$`)),
    ]);
  });
});

describe("entries that leave with their month", () => {
  const DAY = 86_400_000;
  let later: number;
  let forged: { id: string };
  /** Moves the anchors to later days. */
  const anchorsLater = (days: number) =>
    asOwner(async (owner) => {
      await owner`set session_replication_role = replica`;
      await owner`update audit_anchor_leaves set day = day + ${days}`;
      await owner`update audit_anchors_final set day = day + ${days}`;
    });
  beforeAll(() => {
    later = dayNumber(new Date(firstEnd + 10 * DAY));
  });
  const urls = () => [process.env.MIGRATION_DATABASE_URL ?? "", process.env.DATABASE_URL ?? ""] as const;
  const drop = () => maintain(...urls(), { eventDays: null, auditDays: 30 }, new Date(firstEnd + 40 * DAY));

  test("stay until a final block anchors them", async () => {
    // A clock that was ahead wrote Carol's second entry, so it is in the next month's partition.
    let hash: Hex = FIRST_HASH;
    for (const [before, at] of [firstEnd - 1, firstEnd + 1, firstEnd - 1].entries()) {
      ({ hash } = await writeEntry(carol, before + 1, hash, [new Date(at), noon(FIRST - 1)]));
    }
    await db().insert(auditHeads).values({ rootId: carol, chainId: CHAIN, position: 3, hash });
    await anchorOn(FIRST + 3, 4);
    vi.useFakeTimers({ toFake: ["Date"], now: noon(later) });
    for (let n = 0; n < 2; n++) await append(alice, later);
    await asOwner((owner) => owner`delete from audit_anchors_final`);
    const { dropped, kept } = await drop();
    expect([dropped, kept]).toEqual([
      [],
      [expect.stringMatching(/^audit_log_start: the entries of 4 chains .* final/)],
    ]);
    await anchorHeads(CHAIN, noon(FIRST + 3));
    await anchorsLater(1_000);
    expect((await drop()).dropped).toEqual([]);
    await anchorsLater(-1_000);
    forged = await writeEntry(alice, 2, FIRST_HASH, [new Date(firstEnd + 2), noon(FIRST - 1)]);
    expect((await drop()).dropped).toEqual(["audit_log_start"]);
    writesAt = () => noon(later).getTime();
    verifies = { at: new Date(firstEnd + 40 * DAY), auditDays: 30 };
    expect(
      await sql()`select root_id, position::int from audit_log where root_id <> ${alice} or position < 5
      order by root_id = ${alice}`,
    ).toEqual([
      { root_id: carol, position: 2 },
      { root_id: alice, position: 2 },
    ]);
  });

  test("leave behind what is in a later month, and nothing that was written there in their place", async () => {
    const added = (rootId: string, position: number, { id }: { id: string }) => ({
      ...{ rootId, chainId: CHAIN, position, id, problem: "is not among those that were left behind" },
    });
    expect((await verifyAuditChains()).broken).toEqual([added(alice, 2, forged)]);
    await unwrite(forged.id);
    const another = await writeEntry(carol, 1, FIRST_HASH, [new Date(firstEnd + 3), noon(FIRST - 1)]);
    expect((await verifyAuditChains()).broken).toEqual([added(carol, 1, another)]);
    await unwrite(another.id);
  });

  test("leave checkpoints that the verification starts from", async () => {
    expect(await verifyAuditChains()).toEqual({ entries: 3, chains: 4, broken: [] });
    expect((await verified()).problems).toEqual([]);
    const changed = `update audit_log set target = 'x' where root_id = '${alice}' and position = 5`;
    expect((await afterTampering(changed)).chains).toEqual(["was changed"]);
    const fitted = `update audit_checkpoints set hash = '' where root_id = '${alice}'`;
    expect((await afterTampering(fitted)).chains).toEqual(["does not follow the entry before it"]);
    const swapped = `update audit_checkpoints set hash = '' where root_id = '${bob}'`;
    expect((await afterTampering(swapped)).anchors).toEqual([
      expect.stringContaining(`${bob}: entry 4 is not the one`),
    ]);
  });

  test("may not be more than was anchored", async () => {
    const { chains, anchors } = await afterTampering(
      `update audit_checkpoints c set position = 5, hash = l.hash from audit_log l
        where c.root_id = '${alice}' and l.root_id = c.root_id and l.position = 5`,
      `delete from audit_log where root_id = '${alice}' and position = 5`,
    );
    expect(chains).toEqual([]);
    expect(anchors).toEqual([`${alice}: entries up to 5 have left the log, and no anchor covers them`]);
    vi.useRealTimers();
  });
});

test("anchors of an exchanged seed still hold, and the new seed's account goes on from its own first transaction", async () => {
  const [before, after] = [process.env.RELAYER_SEED ?? "", secretOf("another seed")];
  const old = account();
  const both = { RELAYER_SEED: after, RELAYER_SEED_PREVIOUS: before };
  const problems = async () => (await verified()).problems.filter((problem) => !problem.includes("dated before"));
  expect(await withSettings(both, problems)).toEqual([]);
  await withSettings(both, async () => {
    await createTestClient({ mode: "anvil", transport: http(env().chains.test.rpcUrl) }).setBalance({
      address: account(),
      value: parseEther("1"),
    });
    await append(alice, FIRST + 3);
    await anchorOn(FIRST + 4, 1);
    const { transaction } = await rowOf(FIRST + 4);
    expect(transaction).toMatchObject({ from: account().toLowerCase(), nonce: 0 });
    expect(account()).not.toBe(old);
    expect(await problems()).toEqual([]);
    expect((await verified()).days).toBe(5);
  });
  // The previous seed is gone; the verification needs only its account's address.
  expect(await withSettings({ RELAYER_SEED: after, ANCHOR_ACCOUNTS: old }, problems)).toEqual([]);
  const unknown = await withSettings({ RELAYER_SEED: after }, problems);
  expect(unknown.filter((one) => one.endsWith(`is of ${old}, which is none of the service's`))).toHaveLength(4);
  // A deleted row is noticed, also for the previous seed.
  const missed = await withSettings({ RELAYER_SEED: after, ANCHOR_ACCOUNTS: old }, () =>
    afterTampering(`delete from audit_anchors where day = ${FIRST + 1}`),
  );
  expect(missed.anchors).toContain("anchor 1 is on chain and not in the database, which is older or was changed");
});

test("a key in a KMS anchors: nothing is open while it signs, and a process that dies then leaves nothing", async () => {
  const kms = await startKms("anchors");
  try {
    const day = FIRST + 5;
    setAnchorAccount(await kmsAccount("anchors", kmsEnv(kms.env)));
    await createTestClient({ mode: "anvil", transport: http(env().chains.test.rpcUrl) }).setBalance({
      address: account(),
      value: parseEther("1"),
    });
    await append(alice, FIRST + 4);
    const open: unknown[] = [];
    let dies = true;
    kms.before = async (action) => {
      open.push(
        ...(await sql()`
        select query from pg_stat_activity
        where datname = current_database() and state = 'idle in transaction' and pid <> pg_backend_pid()`),
      );
      if (action === "Sign" && dies) throw new Error("KMSInternalException");
    };
    const rows = async () => [
      await sql()`select day from audit_anchors where chain_id = ${CHAIN} and day = ${day}`,
      await sql()`select day from audit_anchor_leaves where chain_id = ${CHAIN} and day = ${day}`,
    ];
    await expect(anchorHeads(CHAIN, noon(day))).rejects.toThrow("KMSInternalException");
    expect(await rows()).toEqual([[], []]);
    dies = false;
    // Run one worker only: with several, another one's write could still be open.
    await anchorOn(day, 1);
    expect(open).toEqual([]);
    expect(kms.calls.filter((action) => action === "Sign")).toHaveLength(2);
    expect((await rowOf(day)).transaction).toMatchObject({ from: account().toLowerCase(), nonce: 0 });
    // The anchors of the seed's accounts still hold: these accounts are derived from the seed.
    const { problems } = await withSettings(
      { RELAYER_SEED: secretOf("another seed"), RELAYER_SEED_PREVIOUS: process.env.RELAYER_SEED },
      verified,
    );
    expect(problems.filter((problem) => !problem.includes("dated before"))).toEqual([]);

    // While this worker signs, another one anchors the day before and takes the nonce.
    let isAlone = true;
    kms.before = async (action) => {
      if (action !== "Sign" || !isAlone) return;
      isAlone = false;
      await anchorHeads(CHAIN, noon(day + 1));
    };
    const nonces = async () => {
      const rows = await sql()<{ nonce: number }[]>`
        select nonce::int from audit_anchors where chain_id = ${CHAIN} and day >= ${day} order by day`;
      return rows.map(({ nonce }) => nonce);
    };
    await anchorHeads(CHAIN, noon(day + 2));
    expect(await nonces()).toEqual([0, 1]);
    await anchorHeads(CHAIN, noon(day + 2));
    expect(await nonces()).toEqual([0, 1, 2]);
  } finally {
    setAnchorAccount(undefined);
    kms.stop();
  }
});
