const NO_MONEY = "It neither signs nor reports money.";
const BY_SERVICE = "The service does it with the API key: what it returns is the service's word.";
const TEST_NETWORK = "It works on a local stack alone, with test money.";
const NO_SERVICE = "It asks a node, and no service.";
const ENCRYPTED = "It returns what the service has, still encrypted.";
const ELSEWHERE = "The method that does it is tried.";

/** Methods of the client about whose responses there is nothing to lie that money depends on, with the reason. */
export const METHODS_WITHOUT_LIES: Readonly<Record<string, string>> = {
  "account.get": NO_MONEY,
  "account.getByWallet": NO_MONEY,
  "account.create":
    "It enrolls an account that has no money yet, and reads from the chain that its keys can be recovered.",
  "account.verifyIdentity": NO_MONEY,
  "transfers.dryRun": "It asks what the service would decide. Nothing is signed.",
  "transfers.prepare":
    "It returns a signed document and sends nothing: `transfers.create` makes and sends the same one.",
  "transfers.check": "It reads from the chain what became of a payment that the caller names.",
  "transfers.get": ENCRYPTED,
  "transfers.list": ENCRYPTED,
  "transfers.decrypt": "It decrypts what the caller has: `transfers.getDecrypted` reads and decrypts.",
  "paymentRequests.create":
    "It signs a request for money to the account itself, and verifies it on the chain like its payer.",
  "paymentRequests.cancel": "It tells the service. What it returns is what `paymentRequests.retrieve` does.",
  "paymentRequests.watch": "It repeats `paymentRequests.check`.",
  "payouts.check": BY_SERVICE,
  "payouts.retrieve": BY_SERVICE,
  "payouts.list": BY_SERVICE,
  "payouts.rows": BY_SERVICE,
  "payouts.resume": BY_SERVICE,
  "payouts.cancel": BY_SERVICE,
  "schedules.create": "It encrypts for the account itself what it is to pay later. `schedules.payRun` pays.",
  "schedules.list": ENCRYPTED,
  "schedules.get": ENCRYPTED,
  "schedules.update": "It encrypts what it decrypted, as `schedules.getDecrypted` shows it, with the caller's changes.",
  "schedules.pause": "It is `schedules.update`.",
  "schedules.resume": "It is `schedules.update`.",
  "schedules.skip": "It is `schedules.update`.",
  "schedules.end": NO_MONEY,
  "schedules.runs": "What the service lists of runs. `schedules.payRun` reads from the chain what was paid.",
  "schedules.getRun": "What the service lists of runs. `schedules.payRun` reads from the chain what was paid.",
  "schedules.plan": "It tells the service dates that this machine computes.",
  "sharedViews.create": "It makes a statement, which is tried, and encrypts it.",
  "sharedViews.delete": NO_MONEY,
  "statements.file": "It writes what `statements.create` returns.",
  "proofsOfFunds.create":
    "It proves what `proofsOfFunds.preview` shows. Whoever gets the proof verifies it on the chain.",
  "balances.prove": "It proves what `balances.get` compares and shows.",
  "keys.create": NO_MONEY,
  "keys.list": NO_MONEY,
  "keys.revoke": NO_MONEY,
  "viewingKeys.export": NO_MONEY,
  "agents.list": NO_MONEY,
  "agents.pause": "The service stops the agent's payments. Nothing is signed.",
  "agents.refunds": NO_MONEY,
  "agents.setRefunds": NO_MONEY,
  "policies.simulate": "It asks what the service would decide. Nothing is signed.",
  "approvals.get": ENCRYPTED,
  "approvals.decrypt": "It decrypts what the caller has, as `approvals.list` does.",
  "approvals.reject": "The service forgets a payment that no one signed.",
  "approvals.rejectAll": "The service forgets payments that no one signed.",
  "webhooks.create": NO_MONEY,
  "webhooks.list": NO_MONEY,
  "webhooks.update": NO_MONEY,
  "webhooks.delete": NO_MONEY,
  "webhooks.rotateSecret": NO_MONEY,
  "webhooks.replay": NO_MONEY,
  "webhooks.redeliver": NO_MONEY,
  "webhooks.test": NO_MONEY,
  "webhooks.deliveries": NO_MONEY,
  "events.list": "Events name ids, never amounts: they are the service's word.",
  "events.get": "Events name ids, never amounts: they are the service's word.",
  "auditLog.list": "Entries name ids, never amounts: they are the service's word.",
  "requestLog.list": "Requests are named by route, status and id, never by an amount.",
  "security.stopPaymentKey": NO_SERVICE,
  "x402.seller": "It checks payments on its own chain, and asks the service only to send them.",
  "x402.checkRefundRequest": "It checks what the caller has with the account's own keys.",
  "testHelpers.faucet": TEST_NETWORK,
  "testHelpers.advanceClock": TEST_NETWORK,
  "testHelpers.expire": TEST_NETWORK,
  "testHelpers.failingRecipient": TEST_NETWORK,
  "recovery.run": NO_SERVICE,
};

/** Commands about which the same holds, and those that print what a method returns that is tried, field by field. */
export const COMMANDS_WITHOUT_LIES: Readonly<Record<string, string>> = {
  ...of(NO_MONEY, "wallet new", "wallet address", "profiles add", "profiles list", "profiles use", "profiles remove"),
  ...of(NO_MONEY, "signup", "whoami", "kyc verify", "keys create", "keys list", "keys revoke", "viewing-key export"),
  ...of(NO_MONEY, "agents list", "agents refunds", "agents pause", "schedules end", "views delete", "completion"),
  ...of(NO_MONEY, "webhooks create", "webhooks list", "webhooks update", "webhooks delete", "webhooks rotate-secret"),
  ...of(NO_MONEY, "webhooks replay", "webhooks redeliver", "webhooks test", "webhooks deliveries", "events", "listen"),
  ...of(NO_MONEY, "audit-log", "logs", "logs tail", "reject", "trigger"),
  ...of(BY_SERVICE, "payout", "payouts", "payouts show", "payouts rows", "payouts resume", "payouts cancel"),
  ...of(TEST_NETWORK, "faucet", "test-helpers advance-clock", "test-helpers expire", "test-helpers failing-recipient"),
  ...of(NO_SERVICE, "recover", "stop-payment-key"),
  ...of("It serves others, who pay with clients of their own.", "facilitator", "mcp"),
  ...of(ELSEWHERE, "make-available", "refund", "pay", "approve", "proof", "proof-of-funds", "limits", "limits set"),
  ...of(ELSEWHERE, "limits remove", "guard on", "guard off", "agents create", "agents make-refunds-available"),
  ...of(ELSEWHERE, "agents resume", "agents end", "agents replace-key", "policy get", "policy set", "abandon", "proxy"),
  ...of(ELSEWHERE, "request create", "request cancel", "schedules create", "schedules list", "schedules pause"),
  ...of(ELSEWHERE, "schedules resume", "schedules skip", "schedules run", "views create", "views list"),
  ...of(ELSEWHERE, "rotate-account-secret", "renew-payment-key"),
};

function of(reason: string, ...commands: string[]): Record<string, string> {
  return Object.fromEntries(commands.map((command) => [command, reason]));
}
