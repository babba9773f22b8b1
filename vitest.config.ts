import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** Where tests stand beside the code. */
const HOUSE = "{app,components,db,lib,scripts,sdk,bench}/**/*";

/** Integration tests that write nothing to a chain and start no worker: a database of their own is all they need. */
const SHARED = [
  "db/{connect,planned-once}",
  "lib/accounts/{caps,create-account,set-strict}",
  "lib/agents/account-secret/warn-of-expiry",
  "lib/base/rate-limit/take-token",
  "lib/events/audit/audit",
  "lib/accounts/keys/blind-since",
  "lib/http/auth/{api-keys,sessions}",
  "lib/accounts/backups/backups",
  "app/mcp/serve",
  "app/api/{accounts/accounts,keys/keys}",
  "app/v1/{every-operation,agents/agents,transfers/transfers,webhooks/webhooks}",
  "lib/http/connections/connections",
  "lib/accounts/shared-views/shared-views",
  "lib/balances/proven/shown-funds",
  "lib/http/{identity-webhook,notify-of-home-keys}",
  "lib/events/notifications/{emails,pushes}",
  "lib/payments/blind/blind-deadline",
  "lib/payments/screening/screening",
  "lib/payments/search/search",
  "lib/events/{announced,list-events}",
  "lib/base/scheduler/jobs",
  "lib/payments/payouts/draft-payout",
  "lib/payments/schedules/schedules",
  "lib/payments/test-helpers/test-helpers",
  "lib/payments/approvals/{close-expired,list-decided}",
  "lib/events/stream/account-stream",
  "lib/payments/list-transfers",
  "lib/events/webhooks/{delivery,delivery-log,owner-verbs,repair,subscriptions}",
  "lib/settlement/{announce-movements,fail-orphaned-states,reopen-payments,settle-payments,settle-policies}",
  "scripts/audit-verify",
].map((file) => `${file}.integration.test.ts`);

/**
 * Integration tests that use services as they are, and leave them so: the files of one process use the same database and
 * chains in turn, each with people of its own. Not for files that mock a module, set variables, move a chain's clock, take
 * a relayer's key, or change what the service has written: after them the next file's operations may stay pending.
 */
const TOGETHER = [
  "app/mcp/tools",
  "lib/agents/{contract-wallet,end-agent,failed-enrollment,guard,read-every-ledger,set-policy}",
  "lib/balances/abandon",
  "lib/agents/account-secret/rotate-secret",
  "lib/chain/erc1271",
  "lib/accounts/request-log/request-log",
  "lib/payments/requests/payment-requests",
  "lib/payments/test-helpers/failing-recipient",
  "lib/payments/{agents,agents-client-signed,agents-crash,agents-held,batch,contract-wallet,crash,limits,pay-in-turn}",
  "lib/payments/{payments,policy-versions}",
  "lib/payments/payouts/payouts",
  "lib/payments/approvals/held",
  "lib/payments/refunds/refunds",
  "scripts/{dishonest-service,honest-service}",
  "scripts/lies/lies",
  "sdk/account/{contract-wallet,policies}",
  "sdk/payments/attempts/lost-responses",
  "sdk/statements/shared-views/shared-views",
  "sdk/account/funds/unreadable-notes",
  "sdk/payments/requests/payment-requests",
  "sdk/payments/blind/{agents-blind,calls-blind,flows-blind,pay-blind,payouts-blind}",
  "sdk/payments/redirected-payments",
  "sdk/payments/payouts/payouts",
  "sdk/statements/proofs-of-funds/proofs-of-funds",
  "sdk/recovery/under-policies",
  "sdk/payments/refunds/refund",
  "sdk/statements/statements",
  "sdk/proxy/{leaks,proxy,same-responses}",
  "sdk/x402/{mpp,sellers,x402}",
].map((file) => `${file}.integration.test.ts`);

/**
 * Unit tests compute rather than wait, so more processes than cores gain nothing. Vitest runs projects with different
 * numbers of them after each other.
 */
const UNIT = { maxWorkers: availableParallelism(), sequence: { groupOrder: 1 } };

/**
 * Unit tests that mock a module, or read what a module knows of this process: whether the service responds. Each has
 * its own process: in a shared one, another test may have loaded the module, and a request that it left may change it.
 */
const MOCKING = [
  "components/agents/spent-today.test.tsx",
  "components/agents/connections/consent.test.tsx",
  "components/api/keep-page.test.ts",
  "components/api/service-watch.test.ts",
  "components/approvals/review-dialog.test.tsx",
  "components/keys/key-table.test.tsx",
  "components/money/act-dialog.test.tsx",
  "components/money/opening-bar.test.tsx",
  "components/money/send-dialog.test.tsx",
  "components/money/use-attempt.test.tsx",
  "components/money/use-payment-state.test.tsx",
  "components/payments/payouts/payout-detail.test.tsx",
  "components/payments/transfers/search-results.test.tsx",
  "components/shell/connection-bar.test.tsx",
  "components/vault/declining.test.tsx",
  "components/welcome/welcome.test.tsx",
  "scripts/deployment/schema-errors.test.ts",
];

export default defineConfig({
  resolve: { alias: { "@": root.replace(/\/$/, "") } },
  test: {
    pool: "forks",
    // Never the wallet and the pins of the person who runs the tests.
    env: { HALCYON_CONFIG_DIR: path.join(tmpdir(), `halcyon-tests-${process.pid}`) },
    // Integration tests mostly wait for their services: more than Vitest would choose. Not many more, because each
    // process loads the product, and other parts run beside them.
    maxWorkers: availableParallelism() + 2,
    // They only end a test that hangs: how fast something has to be is asserted where it matters.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: [`${HOUSE}.test.{ts,tsx}`],
          exclude: [`${HOUSE}.integration.test.ts`, ...MOCKING],
          // Most of their time would go into loading the same modules for each file.
          isolate: false,
          ...UNIT,
        },
      },
      {
        extends: true,
        test: { name: "mocking", include: MOCKING, ...UNIT },
      },
      {
        extends: true,
        test: {
          name: "integration",
          globalSetup: [
            "test/services/prepared-folder.ts",
            "test/services/postgres-server.ts",
            "test/services/run-prover.ts",
          ],
          include: [`${HOUSE}.integration.test.ts`],
          exclude: [...SHARED, ...TOGETHER],
        },
      },
      {
        extends: true,
        test: {
          // Vitest takes projects in the order of their names: last, when prepared-people.ts is done.
          name: "together",
          globalSetup: [
            "test/services/prepared-folder.ts",
            "test/services/postgres-server.ts",
            "test/services/run-prover.ts",
            "test/services/files-together.ts",
            "test/services/prepared-people.ts",
          ],
          setupFiles: ["test/chain/dying.ts"],
          include: TOGETHER,
          env: { HALCYON_TEST_IN_TURN: "1" },
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "shared",
          globalSetup: [
            "test/services/prepared-folder.ts",
            "test/services/postgres-server.ts",
            "test/services/run-prover.ts",
            "test/services/shared-services.ts",
          ],
          include: SHARED,
          isolate: false,
        },
      },
      {
        extends: true,
        // Several of each process, as `npm start` runs them.
        // It waits for the site's build, which other parts may share the machine with.
        test: { name: "fleet", include: ["test/fleet/*.test.ts"], hookTimeout: 900_000 },
      },
      {
        extends: true,
        // What takes too long for `npm test`.
        test: {
          name: "long",
          hookTimeout: 1_200_000,
          testTimeout: 1_200_000,
          globalSetup: ["test/services/prepared-folder.ts", "test/services/postgres-server.ts"],
          include: ["test/long/*.test.ts"],
        },
      },
      {
        extends: true,
        // The package as people install it, on a running product: `npm run test:long -- installed`.
        test: {
          name: "installed",
          hookTimeout: 1_200_000,
          testTimeout: 1_200_000,
          include: ["test/installed/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "circuits",
          include: ["circuits/**/*.test.ts"],
          isolate: false,
          maxWorkers: availableParallelism(),
        },
      },
    ],
  },
});
