import { describe, expect, test } from "vitest";
import { addressRefusal, isLoopback } from "./address";
import { checkUrl, urlRefusal } from "./check-url";

describe("an address", () => {
  test.each(["1.1.1.1", "8.8.8.8", "93.184.216.34", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"])(
    "%s is public",
    (address) => expect(addressRefusal(address)).toBeNull(),
  );

  test.each([
    ["loopback", "127.0.0.1", "127.255.255.254", "::1"],
    ["unspecified", "0.0.0.0", "0.1.2.3", "::"],
    ["private", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    ["link-local", "169.254.0.1", "fe80::1", "fe80::1%eth0"],
    ["metadata", "169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
    ["carrier-grade NAT", "100.64.0.1", "100.127.255.255"],
    ["multicast", "224.0.0.1", "239.255.255.255", "ff02::1"],
    ["broadcast and reserved", "255.255.255.255", "240.0.0.1", "192.0.0.1", "192.0.2.1", "198.51.100.1", "203.0.113.1"],
    ["benchmark", "198.18.0.1", "198.19.255.255", "2001:2::1"],
    ["documentation", "2001:db8::1", "3fff::1"],
    ["unique local and site-local", "fc00::1", "fdff::1", "fec0::1"],
    ["mapped and compatible IPv4", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "::8.8.8.8"],
    ["6to4, its relays and Teredo", "2002:7f00:1::", "2002:808:808::1", "192.88.99.1", "2001::1"],
    ["NAT64", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1"],
    ["discard and segment routing", "100::1", "5f00::1"],
    ["no address at all", "localhost", "", "1.2.3.4.5"],
  ])("%s is refused", (_, ...addresses) => {
    for (const address of addresses) expect(addressRefusal(address), address).not.toBeNull();
  });

  test("is the machine's own only in 127.0.0.0/8 and ::1", () => {
    expect(["127.0.0.1", "127.9.9.9", "::1", "0.0.0.0", "::", "10.0.0.1", "localhost"].map(isLoopback)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });
});

describe("a URL", () => {
  const ANYWHERE = [
    "https://hooks.example.com/a?b=c",
    "https://hooks.example.com:443/",
    "https://hooks.example.com:8443/",
    "https://8.8.8.8/",
    "https://[2606:4700::1111]/",
    "https://Hooks.Example.com",
    "https://hooks.example.com?a=%C3%A9",
    "HTTPS://hooks.example.com:443",
  ];
  const NOWHERE = [
    "hooks.example.com",
    "ftp://hooks.example.com/",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://hooks.example.com/",
    "https://user:secret@hooks.example.com/",
    "https://user@hooks.example.com/",
    "https://hooks.example.com/#part",
    "https://hooks.example.com:22/",
    "https://hooks.example.com:6379/",
    "https://10.0.0.1/",
    "https://169.254.169.254/latest/meta-data/",
    "https://0x0a.1/",
    "https://167772161/",
    "https://012.0.0.1/",
    "https://[::ffff:127.0.0.1]/",
    "https://[fd00:ec2::254]/",
    "https://intranet/",
    "https://localhost./",
    "http://127.0.0.2:4000/",
    "http://[::1]:4000/",
    "http://0.0.0.0:4000/",
    "http://localhost.example.com/",
    `https://hooks.example.com/${"a".repeat(2_048)}`,
    "https://a.example/\u0000",
    "https://a.example/\ud800",
    "https://example.com/\r\nX: y",
    "https://exa\tmple.com/",
    " https://example.com/",
    "https://example.com/ ",
    "https:\\\\example.com\\x",
    "https://\u24d4xample.com/",
    "https://example.com/a/../b",
    "https://example.com/\u00e9",
    "https://0x7f.1/",
  ];
  test("is refused at port 0, where nothing can listen", () => {
    expect(urlRefusal("http://localhost:0/", true)).toContain("port 0");
  });

  test.each([
    "javascript:alert(1)",
    "mailto:a@example.com",
    "file:///etc/passwd",
    "data:text/plain,x",
    "ftp://example.com/",
  ])("of another scheme is refused for its scheme: %s", (url) => {
    expect([urlRefusal(url, false), urlRefusal(url, true)]).toEqual(Array(2).fill("is not an https address"));
  });

  const LOCAL = ["http://localhost:4000/hook", "http://127.0.0.1/", "https://localhost:9443/"];

  test.each(ANYWHERE)("%s is accepted everywhere", (url) => {
    expect([urlRefusal(url, false), urlRefusal(url, true)]).toEqual([null, null]);
  });

  test.each(NOWHERE)("%s is refused everywhere", (url) => {
    expect(urlRefusal(url, false)).not.toBeNull();
    expect(urlRefusal(url, true)).not.toBeNull();
  });

  test.each(LOCAL)("%s is accepted by the local stack alone", (url) => {
    expect(urlRefusal(url, true)).toBeNull();
    expect(urlRefusal(url, false)).not.toBeNull();
  });

  test("that is refused is an invalid request naming the field, and the message does not repeat it", () => {
    const refused = () => checkUrl("https://user:sesame@hooks.example.com/", false);
    expect(refused).toThrow(expect.objectContaining({ code: "invalid_request", param: "url" }));
    expect(refused).not.toThrow(/sesame/);
  });
});
