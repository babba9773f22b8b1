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
  SquareTerminal,
  Wallet,
  Webhook,
} from "lucide-react";

/** A page by which the palette and a key lead to a place. */
interface NavigationPage {
  name: string;
  /** Its name among the tabs, if another. */
  tab?: string;
  /** Path below `/test` or `/live`. */
  path: string;
  icon: LucideIcon;
  /** Additional words by which the command palette finds it. */
  keywords?: string;
  /** The key that opens it after `g`. */
  shortcut?: string;
}

/** An entry of the navigation. */
interface NavigationEntry {
  name: string;
  icon: LucideIcon;
  /** The pages behind it. The first opens with it; more than one are tabs. */
  pages: readonly [NavigationPage, ...NavigationPage[]];
  /** Pages behind it that are no tabs: something on a tab leads to them. */
  further?: readonly NavigationPage[];
}

const single = (page: NavigationPage): NavigationEntry => ({ name: page.name, icon: page.icon, pages: [page] });

const APPROVALS = single({
  name: "Approvals",
  path: "/approvals",
  shortcut: "v",
  icon: CircleCheckBig,
  keywords: "held queue approve reject",
});

/** The navigation, from the top. */
const ENTRIES: readonly NavigationEntry[] = [
  single({
    name: "Overview",
    path: "",
    icon: LayoutDashboard,
    shortcut: "o",
    keywords: "home start waiting failed spend charts",
  }),
  single({
    name: "Balances",
    path: "/balances",
    shortcut: "b",
    icon: Wallet,
    keywords: "money available received deposited available balance make available withdraw send",
  }),
  {
    name: "Payments",
    icon: ArrowLeftRight,
    pages: [
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
    ],
    further: [
      {
        name: "Statements",
        path: "/statements",
        icon: FileSpreadsheet,
        keywords: "period csv ofx pdf accountant export tax",
      },
    ],
  },
  single({ name: "Agents", path: "/agents", shortcut: "n", icon: Bot, keywords: "policy limits pause" }),
  APPROVALS,
  single({
    name: "API keys",
    path: "/developers/keys",
    shortcut: "i",
    icon: KeyRound,
    keywords: "create revoke usage",
  }),
  {
    name: "Webhooks",
    icon: Webhook,
    pages: [
      {
        name: "Webhooks",
        tab: "Endpoints",
        path: "/developers/webhooks",
        shortcut: "w",
        icon: Webhook,
        keywords: "endpoints deliveries",
      },
      { name: "Events", path: "/developers/events", shortcut: "e", icon: Activity, keywords: "log" },
      {
        name: "Request log",
        tab: "Requests",
        path: "/developers/requests",
        shortcut: "l",
        icon: SquareTerminal,
        keywords: "api calls errors status debug request id",
      },
    ],
  },
  {
    name: "Settings",
    icon: Settings,
    pages: [
      { name: "Settings", tab: "General", path: "/settings", icon: Settings, keywords: "profile identity theme" },
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

/** Every page of the navigation, with or without an entry of its own. */
export const PAGES: readonly NavigationPage[] = ENTRIES.flatMap(({ pages, further = [] }) => [...pages, ...further]);

/** Returns the navigation's entries. Approvals come first while payments wait for them. */
export function entriesWith(pending: number): readonly NavigationEntry[] {
  return pending === 0 ? ENTRIES : [APPROVALS, ...ENTRIES.filter((entry) => entry !== APPROVALS)];
}

/** Returns whether `pathname` is a page or below it. */
function isAt(pathname: string, base: string, { path }: NavigationPage): boolean {
  const full = `${base}${path}`;
  return pathname === full || (path !== "" && pathname.startsWith(`${full}/`));
}

/** Returns whether `pathname` is one of an entry's pages or below it. */
export function isCurrent(pathname: string, base: string, { pages, further = [] }: NavigationEntry): boolean {
  return [...pages, ...further].some((page) => isAt(pathname, base, page));
}

/** Returns the tabs to show above the page at `pathname`: only above the pages that they lead to. */
export function tabsAt(pathname: string, base: string): { entry: string; pages: readonly NavigationPage[] } | null {
  const found = ENTRIES.find(({ pages }) => pages.some(({ path }) => pathname === `${base}${path}`));
  return found && found.pages.length > 1 ? { entry: found.name, pages: found.pages } : null;
}
