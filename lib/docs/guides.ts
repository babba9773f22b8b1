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
export interface GuideSection {
  title: string;
  guides: Guide[];
}

/** Every guide. A new one is a file below `docs/` and a line here. */
export const GUIDE_SECTIONS: GuideSection[] = [
  {
    title: "Get started",
    guides: [
      guide("quick-start", "Quick start", "From nothing to a confirmed confidential payment in five minutes."),
      guide("confidentiality", "Confidentiality", "What is hidden, from whom, and what is not, in plain words."),
      guide("going-live", "Going live", "What changes between the test network and real money, as a checklist."),
    ],
  },
  {
    title: "Payments",
    guides: [
      guide("budgets", "Budgets and allocation", "How received money becomes money that an API key may spend."),
      guide("idempotency", "Idempotency", "Repeat any request safely, and never pay twice."),
    ],
  },
  {
    title: "Agents",
    guides: [
      guide("agents", "Agents and policies", "Give a program a wallet, a budget and rules it cannot break."),
      guide("approvals", "Approvals", "Decide on the payments an agent may not make alone."),
      guide("mcp", "Let a model pay", "Serve an agent to a language model over the Model Context Protocol."),
    ],
  },
  {
    title: "Operate",
    guides: [
      guide("webhooks", "Events and webhooks", "Hear of everything that happens, signed and in time.", "webhooks.md"),
      guide("limits", "Rate limits", "How much you may ask for, and how an answer tells you.", "limits.md"),
      guide("self-hosting", "Self-hosting", "Run the service on your own machines, chain and database."),
      guide("backups", "Backups and restore", "What to keep, how much can be lost, and what happens after a restore."),
      guide("observability", "Observability", "Logs, metrics and traces that hold no amounts.", "observability.md"),
    ],
  },
  {
    title: "Under the hood",
    guides: [
      guide(
        "protocol",
        "The protocol",
        "Keys, circuits, contract and promises, for whoever checks them.",
        "protocol.md",
      ),
      guide(
        "ceremony",
        "The set-up ceremony",
        "Where the proving keys come from and how to replace them.",
        "ceremony.md",
      ),
    ],
  },
];

/** What stands in front of the reference's chapters. */
export const API_INTRODUCTION = guide(
  "api",
  "Introduction",
  "Address, keys, bodies, lists, ids and versions of the API.",
);

/** All of them, in order. */
export const GUIDES: Guide[] = [...GUIDE_SECTIONS.flatMap(({ guides }) => guides), API_INTRODUCTION];

function guide(slug: string, title: string, description: string, file = `guides/${slug}.md`): Guide {
  return { slug, title, description, file };
}
