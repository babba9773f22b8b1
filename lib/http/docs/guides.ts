/** A page of /docs written in Markdown. */
export interface Guide {
  /** Its address: `/docs/<slug>`. */
  slug: string;
  title: string;
  /** One sentence that says what a reader can do afterwards. */
  description: string;
  /** Path relative to `docs/`. */
  file: string;
}

/** A heading of the navigation, with its pages in reading order. */
interface GuideSection {
  title: string;
  guides: Guide[];
}

/** Every guide except those of the reference. A new one is a file in `docs/guides/` and a line here. */
export const GUIDE_SECTIONS: GuideSection[] = [
  {
    title: "Get started",
    guides: [
      guide("quick-start", "Quick start", "From nothing to a confirmed confidential payment in five minutes."),
      guide("core-concepts", "Core concepts", "Accounts, wallets, API keys, networks and payments on one page."),
      guide("glossary", "Glossary", "The words of the product, and the protocol's terms for them.", "glossary.md"),
      guide("going-live", "Going live", "A checklist for the move from the test network to real money."),
    ],
  },
  {
    title: "Payments",
    guides: [
      guide("send-payments", "Send payments", "Pay a handle or an address, follow the payment, cancel or refund it."),
      guide("blind-keys", "Pay with a blind key", "Pay from any language while the service sees no amount."),
      guide("receive", "Receive payments", "Match payments with orders on a server that can't spend."),
      guide(
        "payment-requests",
        "Payment requests",
        "Ask for a payment with a link or an invoice, and ship when it is paid.",
      ),
      guide("balances", "Balances", "Available, received and deposited money, and how to move it between them."),
      guide("deposits-and-withdrawals", "Deposits and withdrawals", "Move money into Halcyon and out of it."),
      guide("receipts", "Receipts", "Prove the amount of one payment to anyone you choose."),
      guide("statements", "Statements", "Statements of any period, and a view of payments for an accountant."),
      guide("proof-of-funds", "Proof of funds", "Show one verifier that you hold at least a sum, and no more."),
      guide("schedules", "Schedules", "Pay at set times: create a schedule, and choose who pays what is due."),
      guide("payouts", "Payouts", "Pay up to 5,000 people from one file: checked first, and never twice."),
      guide("idempotency", "Idempotency", "Retry any request safely, and never pay twice."),
    ],
  },
  {
    title: "Agents",
    guides: [
      guide("agents", "Agents", "Give a program its own account, money and API key."),
      guide("policies", "Spend policies", "Set limits, recipients, assets and hours for an agent, and test them."),
      guide("approvals", "Approvals", "Approve or reject the payments that an agent can't make alone."),
      guide("notifications", "Notifications", "Hear of approvals and failing webhooks by email and push."),
      guide("pay-over-http", "Pay over HTTP 402", "Buy from servers that ask for money, and sell with yours."),
      guide("mcp", "Connect an AI model (MCP)", "Serve an agent to an AI model over the Model Context Protocol."),
    ],
  },
  {
    title: "Webhooks",
    guides: [
      guide("webhooks", "Receive events", "Get a signed request when payments or agents change state."),
      guide("verify-webhook-signatures", "Verify signatures", "Make sure that a webhook delivery comes from Halcyon."),
      guide(
        "webhook-delivery",
        "Delivery and retries",
        "When Halcyon retries a delivery, and how to get missed events.",
      ),
      guide("test-webhooks", "Test locally", "Forward events to your machine and send test events."),
    ],
  },
  {
    title: "SDKs and tools",
    guides: [
      guide("sdk", "TypeScript SDK", "Pay, decrypt and manage agents from Node and the browser.", "../sdk/README.md"),
      guide("python", "Python", "Pay, manage agents and verify webhooks from Python.", "../sdk/python/README.md"),
      guide("cli", "Command line", "Everything Halcyon does, from your terminal.", "../sdk/cli/README.md"),
      guide("follow-a-request", "Follow a request", "Go from a request ID to what happened."),
      guide("openapi", "OpenAPI", "Import the API into Postman, or generate a client for your language."),
      guide(
        "session-api",
        "Session API",
        "The paths under /api that the dashboard, the SDK and the command line use.",
        "session-api.md",
      ),
    ],
  },
  {
    title: "Security",
    guides: [
      guide("security-model", "Security model", "Who can see and do what, and where the limits are."),
      guide("confidentiality", "Confidentiality", "What is hidden, and what anyone can see."),
      guide("keys-and-rotation", "Keys and rotation", "Which keys there are, and how to replace each of them."),
      guide("recovery", "Backup and recovery", "Get your money back without the service, or without your wallet."),
      guide("protocol", "Protocol", "The specification: keys, contract, circuits and guarantees.", "protocol.md"),
      guide("ceremony", "Set-up ceremony", "Where the proving keys come from, and how to replace them.", "ceremony.md"),
    ],
  },
  {
    title: "Self-hosting",
    guides: [
      guide("self-hosting", "Deploy", "Run the service on your own machines, database and nodes."),
      guide("configuration", "Configuration", "Every variable of the service, with its default.", "configuration.md"),
      guide("backups", "Backups", "What to back up, how much you can lose, and what happens after a restore."),
      guide("observability", "Observability", "Logs, metrics and traces, without amounts.", "observability.md"),
      guide("runbook", "Runbook", "The ten things that will go wrong, and what to do about each.", "runbook.md"),
    ],
  },
];

/** The guides before the reference's chapters. The page about errors follows the chapters. */
export const REFERENCE_GUIDES: Guide[] = [
  guide("api", "Introduction", "Base URL, requests, responses, dates, amounts and ids."),
  guide("api/authentication", "Authentication", "API keys, scopes and networks.", "guides/api-authentication.md"),
  guide(
    "api/pagination",
    "Pagination",
    "Read lists page by page, and events without gaps.",
    "guides/api-pagination.md",
  ),
  guide("api/idempotency", "Idempotent requests", "The Idempotency-Key header.", "guides/api-idempotency.md"),
  guide(
    "api/rate-limits",
    "Rate limits",
    "How many requests you can make, and the headers that report what's left.",
    "limits.md",
  ),
];

/** The last page of the reference. */
export const CHANGELOG = guide(
  "changelog",
  "Versioning and changelog",
  "What can change under /v1, and what changed.",
  "../CHANGELOG.md",
);

/** All guides, in order. */
export const GUIDES: Guide[] = [...GUIDE_SECTIONS.flatMap(({ guides }) => guides), ...REFERENCE_GUIDES, CHANGELOG];

function guide(slug: string, title: string, description: string, file = `guides/${slug}.md`): Guide {
  return { slug, title, description, file };
}
