import { describe, expect, it } from "vitest";
import { addressBlock } from "@/lib/base/rate-limit/address-bucket";

describe("the network an address is counted by", () => {
  it.each([
    ["198.51.100.7", "198.51.100.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1:2:3::", "1:2:3:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
    ["1::3:4:5:6:192.0.2.33", "1:0:3:4::/64"],
    ["::ffff:1.2.3.4", "1.2.3.4"],
    ["::ffff:102:304", "1.2.3.4"],
    ["::ffff:506:708", "5.6.7.8"],
  ])("%s is one of %s", (address, network) => {
    expect(addressBlock(address)).toBe(network);
  });

  it("is the same for every address of a /64 and another for the next", () => {
    expect(addressBlock("2001:db8:0:1::ffff")).toBe(addressBlock("2001:db8:0:1:a:b:c:d"));
    expect(addressBlock("2001:db8:0:1::ffff")).not.toBe(addressBlock("2001:db8:0:2::ffff"));
  });

  it("takes what is no address as it is", () => {
    expect(addressBlock("")).toBe("");
    expect(addressBlock("unknown")).toBe("unknown");
  });
});
