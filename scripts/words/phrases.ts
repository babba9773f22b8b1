/** A phrase that documents and screens must not use, and what to write instead. */
export interface Phrase {
  pattern: RegExp;
  instead: string;
  /** Files and folders that may use it, because it is a term there, or is quoted. */
  allowed?: readonly string[];
  /** The only files and folders that must not use it; everywhere by default. */
  only?: readonly string[];
}

/** Search keywords with which the command palette still finds renamed things. */
const KEYWORDS = ["components/shell/navigation.ts", "components/shell/search/actions.ts"];
/** Specifications and records, whose readers know the protocol's terms (docs/glossary.md maps them). */
const PROTOCOL = [
  "docs/protocol.md",
  "docs/glossary.md",
  "docs/session-api.md",
  "docs/architecture.md",
  "bench/README.md",
];

/**
 * Text in code formatting is removed before the check, so field names of /v1 and command names are always allowed
 * there.
 */
export const PHRASES: readonly Phrase[] = [
  { pattern: /\banswer(s|ed|ing)?\b/i, instead: "response, return" },
  { pattern: /\bbudgets?\b/i, instead: "available balance", allowed: ["docs/protocol.md", ...KEYWORDS] },
  { pattern: /\ballocat(e|es|ed|ing|ions?)\b/i, instead: "make available", allowed: [...PROTOCOL, ...KEYWORDS] },
  { pattern: /\bre-?seal(s|ed|ing)?\b/i, instead: "sync (a balance), encrypt again" },
  { pattern: /\bdisclosures?\b/i, instead: "shared view" },
  { pattern: /\b(un)?seal(s|ed|ing)?\b/i, instead: "encrypt" },
  { pattern: /\bspenders?\b|\bpayment signing keys?\b/i, instead: "payment key" },
  { pattern: /\bruled (accounts?|payments?|payers?|budgets?)\b/i, instead: "limited" },
  { pattern: /\bbudget secret\b/i, instead: "account secret" },
  { pattern: /\bstrict mode\b/i, instead: "require client-signed payments", allowed: PROTOCOL },
  { pattern: /\bprepared (payment|transfer|document|batch)(s|es)?\b/i, instead: "client-signed" },
  { pattern: /\bplain(ly made)? payments?\b/i, instead: "server-signed payment", allowed: PROTOCOL },
  { pattern: /\bheld (payment|transaction)s?\b/i, instead: "payment awaiting approval", allowed: PROTOCOL },
  {
    pattern: /\bin (notes|credit)\b|\bnotes waiting\b|\bpublic credit\b/i,
    instead: "received, deposited",
    allowed: PROTOCOL,
  },
  {
    pattern: /\b(does|do) not open\b|\bdoesn't open\b|\bopened (here|on)\b|\bopens (an|no|the) amounts?\b/i,
    instead: "decrypt",
  },
  { pattern: /\btells?\b|\btold\b/i, instead: "says, reports, shows" },
  { pattern: /\bhand(s|ed|ing)? (it |them )?in\b/i, instead: "submit" },
  { pattern: /\bwho does not\b|\bwhoever\b/i, instead: "someone who, anyone who" },
  { pattern: /\b(any|every|some)body\b/i, instead: "anyone, everyone, someone" },
  { pattern: /\bthie(f|ves)\b/i, instead: "someone who steals" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bshall\b/i, instead: "must, will" },
  { pattern: /\bgone? round\b/i, instead: "bypass" },
  { pattern: /\bnpx --no halcyon\b/, instead: "./halcyon" },
  { pattern: /\benrol(s|ments?)?\b/i, instead: "enroll, enrollment" },
  { pattern: /[\u2018\u2019]/, instead: "a straight apostrophe" },
  {
    pattern: /\bnobody\b|\bnone (is|are) missing\b/i,
    instead: "no one; the list is complete",
    only: ["components/", "sdk/cli/", "sdk/mcp/"],
  },
  { pattern: /\bmak(e|es|ing) (an?|the|new) (api )?(key|agent|backup|wallet|webhook)s?\b/i, instead: "create" },
];

/** Names that code must not declare, each with the standard word. */
export const NAMES: Readonly<Record<string, string>> = {
  answer: "response",
  answers: "responses",
  bell: "notification",
  made: "created",
  news: "changes",
  pump: "worker",
  told: "announced",
};

/** Phrases that comments and test names must not use. The protocol's terms are allowed there. */
export const CODE_PHRASES: readonly Phrase[] = [
  { pattern: /\banswer(s|ed|ing)?\b/i, instead: "response, return, respond" },
  { pattern: /\btells?\b|\btold\b|\btelling\b/i, instead: "says, reports, shows, notifies" },
  { pattern: /\bhand(s|ed|ing)? (it |them )?in\b/i, instead: "submit" },
  { pattern: /\bwho (does|is) not\b|\bwhoever\b/i, instead: "someone who, anyone who" },
  { pattern: /\b(any|every|some|no)body\b/i, instead: "anyone, everyone, someone, no one" },
  { pattern: /\benrol(s|ments?)?\b/i, instead: "enroll, enrollment" },
  { pattern: /\bthie(f|ves)\b/i, instead: "attacker, someone who steals" },
  { pattern: /\banew\b/i, instead: "again" },
  { pattern: /\bshall\b/i, instead: "must, will" },
  { pattern: /\bgone? round\b/i, instead: "bypass" },
  { pattern: /\bcame true\b/i, instead: "became final" },
  { pattern: /\b(un)?seal(s|ed|ing)?\b/i, instead: "encrypt", only: ["sdk/"] },
  { pattern: /\bdo(es)? not open\b|\bopened (here|on)\b/i, instead: "can't be decrypted, decrypted", only: ["sdk/"] },
  { pattern: /\bword alone\b|\bservice's word\b/i, instead: "what the service says", only: ["sdk/"] },
];
