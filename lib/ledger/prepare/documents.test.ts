import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { complete, limitedPayer, payer } from "@/test/ledger/plans";
import { EMPTY_AVAILABLE_OPENING } from "../crypto/commitments";
import { SPEND_MODE } from "../crypto/terms";
import { documentCall } from "./document-call";
import { SignedBatchSchema, type SignedDocument, SignedMakeAvailableSchema, SignedPaymentSchema } from "./documents";
import { planFund } from "./plan-fund";
import { planMakeAvailable } from "./plan-make-available";
import { planRelease } from "./plan-release";
import { planSpend } from "./plan-spend";
import { planSpendPublic } from "./plan-spend-public";
import { planTransfer } from "./plan-transfer";
import { planTransferMany } from "./plan-transfer-many";

const key = `0x${"42".repeat(32)}` as const;
/** Fields that neither signature nor proof covers. The service stores them, and clients verify them before use. */
const NOT_COVERED = [
  "proof",
  "signature",
  "next_state",
  "to_next_state",
  "memo_ciphertext",
  "recipient_memo_ciphertext",
];

type Fields = Record<string, unknown>;
let documents: SignedDocument[] = [];

const sample = <T>(arbitrary: fc.Arbitrary<T>): T => fc.sample(arbitrary, { numRuns: 1, seed: 7 })[0] as T;
const { request } = sample(payer.filter((one) => one.request.amount > 10n && one.request.amount < 1n << 60n));
const limited = sample(limitedPayer.filter((one) => one.request.terms.mode === SPEND_MODE.agent)).request;
const { scope } = request;

beforeAll(async () => {
  const memo = "for the boat";
  const { to, recipientViewingKey } = request;
  const payments = [1n, 2n].map((amount) => ({ to, amount, recipientViewingKey, memo }));
  const makingAvailable = {
    ...request,
    notes: [],
    deposited: 9n,
    newLimit: 5n,
    available: EMPTY_AVAILABLE_OPENING,
    nonce: 3n,
  };
  documents = [
    await complete(await planTransfer({ ...request, memo }), key),
    await complete(await planRelease({ ...request, memo }), key),
    await complete(await planSpend({ ...limited, memo }), key),
    await complete(await planSpendPublic({ ...limited, memo }), key),
    await complete(await planTransferMany({ ...request, payments }), key),
    await complete(
      await planFund({ ...request, amount: 1n, memo, toAvailable: EMPTY_AVAILABLE_OPENING, toSecret: request.secret }),
      key,
    ),
    await complete(await planMakeAvailable(makingAvailable), key),
  ];
});

const schemaOf = ({ kind }: { kind?: unknown }) =>
  kind === "make_available"
    ? SignedMakeAvailableSchema
    : kind === "transfer_many"
      ? SignedBatchSchema
      : SignedPaymentSchema;
const parse = (document: Fields) => schemaOf(document).safeParse(document);

/** Returns every variant of a document in which one object, at any depth, is replaced by a result of `change`. */
function variants(value: unknown, change: (inner: Fields) => Fields[]): unknown[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, at) => variants(item, change).map((other) => value.with(at, other)));
  }
  if (typeof value !== "object" || value === null) return [];
  const inner = value as Fields;
  const below = Object.entries(inner).flatMap(([name, one]) =>
    variants(one, change).map((other) => ({ ...inner, [name]: other })),
  );
  return [...change(inner), ...below];
}

/** Returns another value of the same form. */
function changed(value: unknown): unknown {
  if (Array.isArray(value)) return value.with(-1, changed(value.at(-1)));
  if (typeof value === "number") return value + 1;
  if (typeof value === "object" && value !== null) {
    const [[name, inner] = ["", ""], ...rest] = Object.entries(value);
    return Object.fromEntries([[name, changed(inner)], ...rest]);
  }
  const text = String(value);
  return text.startsWith("0x") ? `${text.slice(0, -1)}${text.endsWith("0") ? "1" : "0"}` : text === "7" ? "8" : "7";
}

describe("a client-signed document", () => {
  it("passes its schema, for each function that takes a proof", () => {
    expect(documents.map(({ kind }) => kind)).toEqual([
      "transfer",
      "release",
      "spend",
      "spend_public",
      "transfer_many",
      "fund",
      "make_available",
    ]);
    for (const document of documents) expect(parse(document).data).toEqual(document);
  });

  it("is refused with a field more or less, at any depth", () => {
    const optional = ["memo_ciphertext", "recipient_memo_ciphertext"];
    for (const document of documents) {
      const more = variants(document, (inner) => [{ ...inner, unknown: "1" }]);
      const less = variants(document, (inner) =>
        Object.keys(inner)
          .filter((name) => !optional.includes(name))
          .map((name) => Object.fromEntries(Object.entries(inner).filter(([other]) => other !== name))),
      );
      expect(more.length).toBeGreaterThan(1);
      for (const other of [...more, ...less]) expect(parse(other as Fields).success).toBe(false);
    }
  });

  it("is covered by signature or proof in every field that the ledger reads", () => {
    for (const document of documents) {
      const { digest, publicSignals } = documentCall(scope, document);
      for (const [name, value] of Object.entries(document)) {
        // A separate test covers the payments of a batch.
        if (name === "kind" || name === "payments") continue;
        const other = documentCall(scope, { ...document, [name]: changed(value) } as SignedDocument);
        const same = other.digest === digest && other.publicSignals.join() === publicSignals.join();
        expect([document.kind, name, !same]).toEqual([document.kind, name, !NOT_COVERED.includes(name)]);
      }
    }
  });

  it("covers recipient, note and copy of every payment of a batch", () => {
    const batch = documents.find(({ kind }) => kind === "transfer_many");
    if (batch?.kind !== "transfer_many") throw new Error("no batch");
    const { digest } = documentCall(scope, batch);
    for (const at of batch.payments.keys()) {
      for (const name of ["to", "note", "recipient_ciphertext"] as const) {
        const payment = batch.payments[at] as (typeof batch.payments)[number];
        const payments = batch.payments.with(at, { ...payment, [name]: changed(payment[name]) });
        expect(documentCall(scope, { ...batch, payments }).digest).not.toBe(digest);
      }
    }
    const swapped = { ...batch, payments: batch.payments.toReversed() };
    expect(documentCall(scope, swapped).digest).not.toBe(digest);
  });

  it("in modes 0 and 1 is signed by a key, in mode 2 by any wallet, and counts nothing there", () => {
    const long = `0x${"ab".repeat(300)}`;
    for (const document of documents) {
      if (document.kind !== "spend" && document.kind !== "spend_public") {
        expect(parse({ ...document, signature: long }).success).toBe(true);
        continue;
      }
      expect(parse({ ...document, signature: long }).success).toBe(false);
      expect(parse({ ...document, mode: 1, signature: long }).success).toBe(false);
      expect(parse({ ...document, mode: 2, day: 0, signature: long }).success).toBe(true);
      expect(parse({ ...document, mode: 2, day: 1 }).success).toBe(false);
      expect(parse({ ...document, mode: 3 }).success).toBe(false);
    }
    for (const document of documents) expect(parse({ ...document, signature: "0x" }).success).toBe(false);
  });

  it("is read or refused without an error of another kind, and what is read makes a call", () => {
    const hostile = fc.oneof(
      fc.anything(),
      fc.constantFrom("", "0x", "-1", "01", "1e3", `0x${"ff".repeat(32)}`, `0x${"00".repeat(32)}`, "0", null, NaN, -1),
    );
    fc.assert(
      fc.property(fc.nat(), fc.nat(), hostile, (one, at, value) => {
        const document = documents[one % documents.length] as SignedDocument;
        const names = Object.keys(document);
        const name = names[at % names.length] ?? "";
        const parsed = parse({ ...document, [name]: value });
        if (parsed.success) expect(documentCall(scope, parsed.data).digest).toMatch(/^0x[0-9a-f]{64}$/);
      }),
      { numRuns: 1500 },
    );
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(SignedPaymentSchema.safeParse(value).success).toBe(false);
        expect(SignedMakeAvailableSchema.safeParse(value).success).toBe(false);
        expect(SignedBatchSchema.safeParse(value).success).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});
