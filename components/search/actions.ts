import {
  Bell,
  BookOpen,
  Bot,
  CalendarPlus,
  CircleDollarSign,
  FileSpreadsheet,
  Fingerprint,
  HandCoins,
  KeyRound,
  LifeBuoy,
  type LucideIcon,
  MonitorSmartphone,
  ReceiptText,
  ScrollText,
  Send,
  ShieldCheck,
  TrendingDown,
  Upload,
  Users,
  Wallet,
  Webhook,
} from "lucide-react";

/** Something that can be done from anywhere: a page, with its form. */
export interface Action {
  label: string;
  /** Below `/test` or `/live`; with two slashes in front, of the whole site. */
  path: string;
  keywords: string;
  icon: LucideIcon;
}

/** What the pages of a network can do. */
export const ACTIONS: readonly Action[] = [
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
    label: "End a session",
    path: "/settings/security#sessions",
    keywords: "devices signed in",
    icon: MonitorSmartphone,
  },
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
