import {
  BadgeCheck,
  Bell,
  BookOpen,
  Bot,
  CalendarPlus,
  CircleDollarSign,
  CirclePause,
  CircleX,
  FileDown,
  FileSpreadsheet,
  Fingerprint,
  Gauge,
  HandCoins,
  KeyRound,
  Layers,
  LifeBuoy,
  type LucideIcon,
  MonitorSmartphone,
  PenLine,
  ReceiptText,
  ScrollText,
  Send,
  Share2,
  ShieldCheck,
  TrendingDown,
  Upload,
  UserRound,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";

/** Something that can be done from anywhere, on a page with a form. */
export interface Action {
  label: string;
  /** Path below `/test` or `/live`. With two leading slashes, a path of the whole site. */
  path: string;
  keywords: string;
  icon: LucideIcon;
}

/** The actions of a network's pages. */
export const SEARCH_ACTIONS: readonly Action[] = [
  { label: "Send a payment", path: "?do=send", keywords: "pay transfer", icon: Send },
  { label: "Request a payment", path: "/requests/new", keywords: "invoice link qr get paid", icon: ReceiptText },
  { label: "Pay many at once", path: "/payouts/new", keywords: "payout file csv salaries", icon: Users },
  {
    label: "Schedule a payment",
    path: "/schedules/new",
    keywords: "recurring standing order rent",
    icon: CalendarPlus,
  },
  { label: "Add funds", path: "?do=add-funds", keywords: "faucet deposit receive top up", icon: CircleDollarSign },
  {
    label: "Make money available",
    path: "?do=allocate",
    keywords: "allocate budget received deposited",
    icon: HandCoins,
  },
  { label: "Deposit from your wallet", path: "?do=deposit", keywords: "public tokens add", icon: Wallet },
  { label: "Withdraw to an address", path: "?do=withdraw", keywords: "release public", icon: Upload },
  { label: "Prove funds", path: "?do=prove-funds", keywords: "proof balance verifier", icon: ShieldCheck },
  { label: "Create an agent", path: "/agents/new", keywords: "new bot policy", icon: Bot },
  { label: "Create an API key", path: "/developers/keys?do=create", keywords: "new token secret", icon: KeyRound },
  { label: "Add a webhook", path: "/developers/webhooks?do=create", keywords: "new endpoint", icon: Webhook },
  {
    label: "Make a statement",
    path: "/statements",
    keywords: "export csv ofx pdf accountant share view tax",
    icon: FileSpreadsheet,
  },
  { label: "Turn Guard on or off", path: "/settings/security#guard", keywords: "policies wallet", icon: ShieldCheck },
  {
    label: "Pause or resume all agents",
    path: "/agents",
    keywords: "stop every bot emergency",
    icon: CirclePause,
  },
  { label: "Reject all waiting payments", path: "/approvals", keywords: "held decline deny", icon: CircleX },
  {
    label: "Limit what your keys may do",
    path: "/settings/security/limits",
    keywords: "policy cap api keys",
    icon: Gauge,
  },
  {
    label: "Require client-signed payments",
    path: "/settings/security#strict-mode",
    keywords: "strict api keys",
    icon: PenLine,
  },
  {
    label: "Send waiting payments together",
    path: "/settings/security#batch-payments",
    keywords: "batch one transaction",
    icon: Layers,
  },
  {
    label: "End a session, or all others",
    path: "/settings/security#sessions",
    keywords: "devices signed in revoke other",
    icon: MonitorSmartphone,
  },
  { label: "Export transfers as CSV", path: "/transfers", keywords: "download history", icon: FileDown },
  { label: "Share a view of your payments", path: "/statements", keywords: "disclose auditor link", icon: Share2 },
  { label: "Check a receipt", path: "//receipt", keywords: "verify proof of payment", icon: ReceiptText },
  { label: "Check a proof of funds", path: "//proof-of-funds", keywords: "verify balance", icon: BadgeCheck },
  { label: "Change your profile", path: "/settings", keywords: "name picture handle", icon: UserRound },
  { label: "Back up your account", path: "/settings/security#backups", keywords: "recovery code", icon: LifeBuoy },
  { label: "Verify your identity", path: "/settings", keywords: "kyc", icon: Fingerprint },
  {
    label: "Get notified by email or push",
    path: "/settings/notifications",
    keywords: "notify alerts subscribe",
    icon: Bell,
  },
  {
    label: "Get warned of a low balance",
    path: "/settings/notifications#low-balance",
    keywords: "threshold alert running out",
    icon: TrendingDown,
  },
  { label: "Verify the audit log", path: "/settings/audit-log", keywords: "hash chain history", icon: ScrollText },
  { label: "Read the documentation", path: "//docs", keywords: "guides api reference help", icon: BookOpen },
];
