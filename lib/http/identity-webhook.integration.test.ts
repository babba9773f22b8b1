import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { db } from "@/db/client";
import { identityChecks } from "@/db/schema/identity";
import { kycStatusOf } from "@/lib/accounts/kyc/kyc-status-of";
import type { HostedKycProvider } from "@/lib/accounts/kyc/provider";
import { readOpenChecks } from "@/lib/accounts/kyc/read-open-checks";
import { stripeIdentity } from "@/lib/accounts/kyc/stripe-identity";
import { verifyHosted } from "@/lib/accounts/kyc/verify-hosted";
import type { SessionContext } from "@/lib/base/context/context";
import { CHAIN_ID } from "@/lib/base/network";
import { Owner } from "@/test/accounts/owner";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { type DoubleSession, StripeDouble } from "@/test/services/stripe-double";
import { identityWebhook } from "./identity-webhook";

const CHAIN = CHAIN_ID.live;
let services: SharedServices;
let stripe: StripeDouble;
let provider: HostedKycProvider;
let session: SessionContext;
let accountId: string;

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  await db().delete(identityChecks);
  stripe = await StripeDouble.start();
  provider = stripeIdentity(stripe);
  const owner = await Owner.create(CHAIN_ID.test);
  accountId = owner.account.id;
  session = { ...owner.session, network: "live", chainId: CHAIN };
});
afterEach(() => stripe.stop());

const verify = () => verifyHosted(session, provider);
const status = () => kycStatusOf(accountId, CHAIN);
const receive = (request: Request) => identityWebhook(() => provider)(request);
const checks = () => db().select().from(identityChecks).where(eq(identityChecks.accountId, accountId));
const ofProvider = (): DoubleSession => [...stripe.sessions.values()].at(-1) as DoubleSession;

test("a person goes on at the provider's page, and is verified once the provider says so", async () => {
  const started = await verify();
  expect(started).toEqual({ status: "unverified", url: ofProvider().url });
  stripe.set(ofProvider().id, { status: "processing", url: null });
  expect((await receive(stripe.webhook(ofProvider()))).status).toBe(204);
  expect(await status()).toBe("pending");
  expect(await verify()).toEqual({ status: "pending" });
  stripe.set(ofProvider().id, { status: "verified" });
  expect((await receive(stripe.webhook(ofProvider()))).status).toBe(204);
  expect(await status()).toBe("enhanced");
  expect(await verify()).toEqual({ status: "enhanced" });
  expect(stripe.created).toHaveLength(1);
});

test("the provider learns the account's id and no name, and no other column keeps what it knows", async () => {
  await verify();
  expect(Object.fromEntries(stripe.created[0] ?? [])).toEqual({
    type: "document",
    client_reference_id: accountId,
    return_url: expect.stringMatching(/\/live\/settings\?identity=returned$/),
    "options[document][require_matching_selfie]": "true",
  });
});

test("two requests at once, and one after a lost response, share one check", async () => {
  const both = await Promise.all([verify(), verify()]);
  expect(new Set(both.map(({ url }) => url)).size).toBe(1);
  await db().delete(identityChecks).where(eq(identityChecks.accountId, accountId));
  expect((await verify()).url).toBe(both[0].url);
  expect(stripe.created).toHaveLength(1);
  expect(await checks()).toHaveLength(1);
});

test("a webhook that is forged, or signed long ago, changes nothing and asks the provider nothing", async () => {
  await verify();
  stripe.set(ofProvider().id, { status: "verified" });
  const asked = stripe.requests;
  const old = new Date(Date.now() - 301_000);
  for (const request of [
    stripe.webhook(ofProvider(), new Date(), "whsec_of_someone_else"),
    stripe.webhook(ofProvider(), old),
    new Request(stripe.webhook(ofProvider()), { headers: {} }),
  ]) {
    expect((await receive(request)).status).toBe(401);
  }
  expect(stripe.requests).toBe(asked);
  expect(await status()).toBe("unverified");
});

test("what a webhook says does not count: the provider's own response does, in any order and however often", async () => {
  await verify();
  const early = stripe.webhook({ id: ofProvider().id, status: "verified" });
  expect((await receive(early.clone())).status).toBe(204);
  expect(await status()).toBe("unverified");
  stripe.set(ofProvider().id, { status: "verified" });
  const late = stripe.webhook({ id: ofProvider().id, status: "processing" });
  for (const request of [late.clone(), early.clone(), late]) expect((await receive(request)).status).toBe(204);
  expect(await status()).toBe("enhanced");
});

test("a webhook about a check of another installation, or about something else, is accepted and ignored", async () => {
  expect((await receive(stripe.webhook({ id: "vs_ofAnotherInstallation", status: "verified" }))).status).toBe(204);
  expect(stripe.requests).toBe(0);
});

test("a check that failed goes on at the provider, and a canceled one makes room for another", async () => {
  const first = await verify();
  stripe.set(ofProvider().id, { last_error: { code: "document_expired", reason: "The document has expired." } });
  expect(await verify()).toEqual(first);
  stripe.set(ofProvider().id, { status: "canceled", url: null });
  const second = await verify();
  expect(second.url).toBeDefined();
  expect(second.url).not.toBe(first.url);
  expect((await checks()).map(({ state }) => state).sort()).toEqual(["canceled", "needs_input"]);
});

test("a check that was replaced can't change the account any more", async () => {
  await verify();
  const replaced = ofProvider().id;
  stripe.set(replaced, { status: "canceled" });
  await verify();
  stripe.set(replaced, { status: "verified" });
  await receive(stripe.webhook({ id: replaced, status: "verified" }));
  expect(await status()).toBe("unverified");
});

test("a provider that fails for a moment is asked again; one that stays away is said to be, and asked next time", async () => {
  stripe.failures = [503, 429];
  expect((await verify()).status).toBe("unverified");
  stripe.set(ofProvider().id, { status: "verified" });
  stripe.failures = [500, 500, 500];
  expect((await receive(stripe.webhook(ofProvider()))).status).toBe(503);
  expect(await status()).toBe("unverified");
  stripe.failures = [500, 500, 500];
  await expect(verify()).rejects.toMatchObject({ code: "unavailable", retryAfter: 60 });
  expect(await verify()).toEqual({ status: "enhanced" });
});

test("a lost webhook is made up for: open checks are read again, closed and fresh ones are not", async () => {
  await verify();
  stripe.set(ofProvider().id, { status: "verified" });
  const asked = stripe.requests;
  await readOpenChecks(new Date(), provider);
  expect(stripe.requests).toBe(asked);
  const later = new Date(Date.now() + 6 * 60_000);
  await readOpenChecks(later, provider);
  expect(await status()).toBe("enhanced");
  await readOpenChecks(later, provider);
  expect(stripe.requests).toBe(asked + 1);
});

test("checks that can't be read do not keep the others waiting", async () => {
  await verify();
  stripe.sessions.clear();
  const later = new Date(Date.now() + 6 * 60_000);
  await readOpenChecks(later, provider);
  expect((await checks()).map(({ state, readAt }) => [state, readAt])).toEqual([["needs_input", later]]);
});

test("a provider's page that is not https is not shown to anyone", async () => {
  await verify();
  stripe.set(ofProvider().id, { url: "http://evil.example/start" });
  await expect(verify()).rejects.toMatchObject({ code: "unavailable" });
});
