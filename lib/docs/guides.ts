/** A page of /docs written in Markdown. */
export interface Guide {
  /** Its address: `/docs/<slug>`. */
  slug: string;
  title: string;
  /** One sentence: what a reader can do afterwards. */
  description: string;
  /** Below `docs/`. */
  file: string;
}

/** A heading of the navigation, with its pages in the order they are read. */
interface GuideSection {
  title: string;
  guides: Guide[];
}

/** Every guide. A new one is a file below `docs/` and a line here. */
export const GUIDE_SECTIONS: GuideSection[] = [
  {
    title: "Get started",
    guides: [
      guide("quick-start", "Quick start", "From nothing to a confirmed confidential payment in five minutes."),
      guide("glossary", "Glossary", "The words of the product, and the protocol's terms for them.", "glossary.md"),
      guide("going-live", "Going live", "A checklist for the move from the test network to real money."),
    ],
  },
  {
    title: "Payments",
    guides: [
      guide("balances", "Balances", "Available, received and deposited money, and how to move it between them."),
      guide("idempotency", "Idempotency", "Retry any request safely, and never pay twice."),
    ],
  },
  {
    title: "Agents",
    guides: [
      guide("agents", "Agents and policies", "Give a program its own account, with limits that you set."),
      guide("approvals", "Approvals", "Approve or reject the payments that an agent can't make alone."),
      guide("mcp", "Connect an AI model (MCP)", "Serve an agent to an AI model over the Model Context Protocol."),
    ],
  },
  {
    title: "Operate",
    guides: [
      guide(
        "webhooks",
        "Events and webhooks",
        "Receive signed notifications when payments or agents change state.",
        "webhooks.md",
      ),
      guide(
        "limits",
        "Limits",
        "How many requests you can make, and the headers that report what's left.",
        "limits.md",
      ),
      guide("configuration", "Configuration", "Every variable of the service, with its default.", "configuration.md"),
      guide("self-hosting", "Self-hosting", "Run the service on your own machines, database and nodes."),
      guide(
        "backups",
        "Backups and restore",
        "What to back up, how much you can lose, and what happens after a restore.",
      ),
      guide("observability", "Observability", "Logs, metrics and traces, without amounts.", "observability.md"),
    ],
  },
  {
    title: "Security",
    guides: [
      guide("security-model", "Security model", "Who can see and do what, and where the limits are."),
      guide("confidentiality", "Confidentiality", "What is hidden, and what anyone can see."),
      guide("recovery", "Recovery", "Get your money back without the service, or without your wallet."),
      guide("protocol", "Protocol", "The specification: keys, contract, circuits and guarantees.", "protocol.md"),
      guide(
        "ceremony",
        "The set-up ceremony",
        "Where the proving keys come from, and how to replace them.",
        "ceremony.md",
      ),
    ],
  },
];

/** What stands in front of the reference's chapters. */
export const API_INTRODUCTION = guide(
  "api",
  "Introduction",
  "Authentication, requests, responses, pagination, ids and versions.",
);

/** All of them, in order. */
export const GUIDES: Guide[] = [...GUIDE_SECTIONS.flatMap(({ guides }) => guides), API_INTRODUCTION];

function guide(slug: string, title: string, description: string, file = `guides/${slug}.md`): Guide {
  return { slug, title, description, file };
}
