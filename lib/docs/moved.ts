/** Pages that have moved. The old address redirects permanently. */
export const MOVED_PAGES: Readonly<Record<string, string>> = {
  "/docs/budgets": "/docs/balances",
  "/docs/limits": "/docs/api/rate-limits",
};

/**
 * Sections that have moved. On the same page, the new section keeps its old anchor. If the section moved to another
 * page, a script redirects (components/docs/moved-anchor.tsx), because servers never see anchors.
 */
export const MOVED_ANCHORS: Readonly<Record<string, string>> = {
  "/docs/agents#ask-before-you-pay": "/docs/policies#check-a-payment-without-paying",
  "/docs/agents#change-a-policy": "/docs/policies#change-a-policy",
  "/docs/agents#change-it": "/docs/policies#change-a-policy",
  "/docs/agents#check-a-payment-without-paying": "/docs/policies#check-a-payment-without-paying",
  "/docs/agents#create-one": "/docs/agents#create-an-agent",
  "/docs/agents#know-what-a-policy-cant-do": "/docs/policies#know-who-enforces-a-rule",
  "/docs/agents#let-it-pay": "/docs/agents#pay-as-the-agent",
  "/docs/agents#rules-of-a-policy": "/docs/policies#set-spending-limits",
  "/docs/agents#the-rules": "/docs/policies#set-spending-limits",
  "/docs/agents#what-a-policy-is-and-is-not": "/docs/policies#know-who-enforces-a-rule",
  "/docs/api#answers": "/docs/api#responses",
  "/docs/api#authentication": "/docs/api/authentication",
  "/docs/api#bodies": "/docs/api#requests",
  "/docs/api#keys": "/docs/api/authentication",
  "/docs/api#lists": "/docs/api/pagination",
  "/docs/api#pagination": "/docs/api/pagination",
  "/docs/api/rate-limits#api-keys": "/docs/api/rate-limits#api-keys-sessions-and-accounts",
  "/docs/api/rate-limits#api-keys-sessions-accounts": "/docs/api/rate-limits#api-keys-sessions-and-accounts",
  "/docs/api/rate-limits#how-many-of-each-an-account-may-have": "/docs/api/rate-limits#resources-per-account",
  "/docs/api/rate-limits#how-they-are-kept": "/docs/api/rate-limits#how-the-service-counts",
  "/docs/api/rate-limits#taking-turns": "/docs/api/rate-limits#fair-queues",
  "/docs/approvals#be-told": "/docs/approvals#get-notified",
  "/docs/approvals#decide": "/docs/approvals#approve-or-reject",
  "/docs/approvals#hold-one": "/docs/approvals#request-a-payment-that-needs-approval",
  "/docs/approvals#the-states": "/docs/approvals#follow-the-status",
  "/docs/approvals#what-can-go-wrong": "/docs/approvals#fix-common-errors",
  "/docs/backups#backing-up": "/docs/backups#back-up",
  "/docs/backups#practise-it": "/docs/backups#practice-it",
  "/docs/backups#restoring": "/docs/backups#restore",
  "/docs/backups#what-cannot-be-rebuilt": "/docs/backups#what-cant-be-rebuilt",
  "/docs/backups#what-to-keep": "/docs/backups#what-to-back-up",
  "/docs/balances#agents-have-their-own": "/docs/balances#fund-an-agent",
  "/docs/balances#allocate": "/docs/balances#make-money-available",
  "/docs/balances#read-it": "/docs/balances#read-a-balance",
  "/docs/balances#what-can-go-wrong": "/docs/balances#fix-common-errors",
  "/docs/balances#when-the-budget-is-empty": "/docs/balances#handle-an-insufficient-balance",
  "/docs/ceremony#replacing-them-a-multi-party-ceremony": "/docs/ceremony#hold-a-multi-party-ceremony",
  "/docs/ceremony#what-is-committed-now-development-keys": "/docs/ceremony#development-keys",
  "/docs/confidentiality#if-a-budget-does-not-open": "/docs/recovery#give-up-a-balance-that-cant-be-decrypted",
  "/docs/confidentiality#if-the-service-disappears": "/docs/recovery#recover-without-the-service",
  "/docs/confidentiality#if-your-wallet-is-lost": "/docs/recovery#recover-without-your-wallet",
  "/docs/confidentiality#the-one-moment": "/docs/security-model#when-halcyon-can-see-a-balance",
  "/docs/confidentiality#what-is-not": "/docs/confidentiality#what-is-visible",
  "/docs/going-live#before-the-first-live-payment": "/docs/going-live#before-your-first-live-payment",
  "/docs/going-live#when-something-happens": "/docs/going-live#in-an-emergency",
  "/docs/idempotency#the-rules": "/docs/idempotency#choose-a-key",
  "/docs/idempotency#what-can-go-wrong": "/docs/idempotency#fix-common-errors",
  "/docs/policies#know-what-a-policy-cant-do": "/docs/policies#know-who-enforces-a-rule",
  "/docs/protocol#1.-promises": "/docs/protocol#guarantees",
  "/docs/protocol#2.-the-idea": "/docs/protocol#overview",
  "/docs/protocol#6.-a-payment-made-by-the-service": "/docs/protocol#payments-signed-by-the-service",
  "/docs/protocol#7.-a-payment-prepared-by-the-client": "/docs/protocol#payments-prepared-by-the-client",
  "/docs/quick-start#2.-make-a-wallet-and-an-account": "/docs/quick-start#create-a-wallet-and-an-account",
  "/docs/quick-start#3.-fund-it": "/docs/quick-start#get-test-money",
  "/docs/quick-start#4.-make-an-api-key": "/docs/quick-start#create-an-api-key",
  "/docs/quick-start#what-can-go-wrong": "/docs/quick-start#fix-common-errors",
  "/docs/security-model#after-a-compromise": "/docs/keys-and-rotation#respond-to-a-compromise",
  "/docs/self-hosting#crashes-backups-upgrades": "/docs/self-hosting#survive-crashes-and-upgrade",
  "/docs/self-hosting#proving-keys": "/docs/self-hosting#replace-the-proving-keys",
  "/docs/self-hosting#secrets": "/docs/self-hosting#keep-the-secrets",
  "/docs/self-hosting#settings": "/docs/self-hosting#configure-the-service",
  "/docs/self-hosting#two-database-roles": "/docs/self-hosting#create-two-database-roles",
  "/docs/self-hosting#watching-it": "/docs/self-hosting#monitor-it",
  "/docs/webhooks#delivery": "/docs/webhook-delivery#delivery-and-retries",
  "/docs/webhooks#delivery-and-retries": "/docs/webhook-delivery#delivery-and-retries",
  "/docs/webhooks#endpoints": "/docs/api/webhooks",
  "/docs/webhooks#go": "/docs/verify-webhook-signatures#go",
  "/docs/webhooks#python": "/docs/verify-webhook-signatures#python",
  "/docs/webhooks#ruby": "/docs/verify-webhook-signatures#ruby",
  "/docs/webhooks#test-on-your-machine": "/docs/test-webhooks#forward-events-to-your-machine",
  "/docs/webhooks#the-events": "/docs/webhooks#event-types",
  "/docs/webhooks#typescript": "/docs/verify-webhook-signatures#typescript",
  "/docs/webhooks#verify-webhook-signatures": "/docs/verify-webhook-signatures",
  "/docs/webhooks#where-a-delivery-comes-from": "/docs/verify-webhook-signatures",
  "/docs/webhooks#while-you-build-a-receiver": "/docs/test-webhooks#forward-events-to-your-machine",
};

const pageOf = (address: string) => address.split("#")[0];

/** Returns the new address of a page; undefined if the address is current or never existed. */
export function movedPage(path: string): string | undefined {
  return MOVED_PAGES[path];
}

/** Returns the anchors that the section at this address had before, on this page. */
export function formerAnchors(address: string): string[] {
  return Object.entries(MOVED_ANCHORS)
    .filter(([from, to]) => to === address && pageOf(from) === pageOf(to))
    .map(([from]) => from.split("#")[1] ?? "");
}

/** Returns the anchors of sections that moved away from this page, with their new addresses. */
export function anchorsThatLeft(page: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(MOVED_ANCHORS)
      .filter(([from, to]) => pageOf(from) === page && pageOf(to) !== page)
      .map(([from, to]) => [from.split("#")[1] ?? "", to]),
  );
}
