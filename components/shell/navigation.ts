import {
  Activity,
  ArrowLeftRight,
  Bell,
  Bot,
  CalendarClock,
  CircleCheckBig,
  FileSpreadsheet,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  ReceiptText,
  ScrollText,
  Send,
  Settings,
  ShieldCheck,
  Wallet,
  Webhook,
} from "lucide-react";

/** A page of the navigation. */
export interface NavigationPage {
  name: string;
  /** Path below `/test` or `/live`. */
  path: string;
  icon: LucideIcon;
  /** Additional words by which the command palette finds it. */
  keywords?: string;
  /** The key that opens it after `g`. */
  shortcut?: string;
}

/** The navigation's pages, grouped as in the sidebar. */
export const NAVIGATION: { group: string | null; pages: NavigationPage[] }[] = [
  {
    group: null,
    pages: [
      {
        name: "Overview",
        path: "",
        icon: LayoutDashboard,
        shortcut: "o",
        keywords: "home start waiting failed spend charts",
      },
      {
        name: "Balances",
        path: "/balances",
        shortcut: "b",
        icon: Wallet,
        keywords: "money available received deposited budget allocate withdraw send",
      },
      {
        name: "Transfers",
        path: "/transfers",
        shortcut: "t",
        icon: ArrowLeftRight,
        keywords: "payments history receipts csv",
      },
      {
        name: "Payouts",
        path: "/payouts",
        shortcut: "p",
        icon: Send,
        keywords: "pay many file csv json salaries wages batch",
      },
      {
        name: "Requests",
        path: "/requests",
        shortcut: "q",
        icon: ReceiptText,
        keywords: "payment request invoice link qr get paid",
      },
      {
        name: "Schedules",
        path: "/schedules",
        shortcut: "s",
        icon: CalendarClock,
        keywords: "recurring standing order monthly rent payroll due",
      },
      {
        name: "Statements",
        path: "/statements",
        icon: FileSpreadsheet,
        keywords: "period csv ofx pdf accountant export tax",
      },
    ],
  },
  {
    group: "Agents",
    pages: [
      { name: "Agents", path: "/agents", shortcut: "n", icon: Bot, keywords: "policy limits pause" },
      {
        name: "Approvals",
        path: "/approvals",
        shortcut: "v",
        icon: CircleCheckBig,
        keywords: "held queue approve reject",
      },
    ],
  },
  {
    group: "Developers",
    pages: [
      { name: "API keys", path: "/developers/keys", shortcut: "i", icon: KeyRound, keywords: "create revoke usage" },
      {
        name: "Webhooks",
        path: "/developers/webhooks",
        shortcut: "w",
        icon: Webhook,
        keywords: "endpoints deliveries",
      },
      { name: "Events", path: "/developers/events", shortcut: "e", icon: Activity, keywords: "log" },
    ],
  },
  {
    group: "Account",
    pages: [
      { name: "Settings", path: "/settings", icon: Settings, keywords: "profile identity theme" },
      {
        name: "Notifications",
        path: "/settings/notifications",
        icon: Bell,
        keywords: "email push alerts inbox low balance",
      },
      {
        name: "Security",
        path: "/settings/security",
        icon: ShieldCheck,
        keywords: "sessions backups guard limits client-signed payments strict",
      },
      { name: "Audit log", path: "/settings/audit-log", icon: ScrollText, keywords: "history chain" },
    ],
  },
];

/** Returns whether `pathname` is a page or below it. */
export function isCurrent(pathname: string, base: string, path: string): boolean {
  const full = `${base}${path}`;
  if (pathname === full) return true;
  return path !== "" && path !== "/settings" && pathname.startsWith(`${full}/`);
}
