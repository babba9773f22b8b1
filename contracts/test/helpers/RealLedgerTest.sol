// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {StructHashes} from "../../src/StructHashes.sol";
import {ILedger} from "../../src/interfaces/ILedger.sol";
import {TestUSDG} from "../../src/tokens/TestUSDG.sol";
import {deployArtifact, deployLedger} from "./DeployLedger.sol";
import {StructSigner} from "./StructSigner.sol";
import {vm} from "./Vm.sol";

/// The world the committed calls were made for (scripts/contracts/fixtures.ts): the real verifiers, and a ledger at a known
/// place and time. alice and bob are enrolled, alice's agent too, and alice has 1,000 dollars of credit.
abstract contract RealLedgerTest is StructSigner {
    uint64 internal constant NOW = 1_800_000_000;
    uint64 internal constant DEADLINE = NOW + 3600;
    uint256 internal constant ALICE_KEY = 0xa11ce;
    uint256 internal constant BOB_KEY = 0xb0b;
    uint256 internal constant AGENT_KEY = 0xa6e47;
    address private constant DEPLOYER = address(0xde91);

    address internal alice = vm.addr(ALICE_KEY);
    address internal bob = vm.addr(BOB_KEY);
    address internal agent = vm.addr(AGENT_KEY);
    uint256 internal spenderKey;
    address internal carol = address(0xca401);
    string internal fixtures;
    ILedger internal ledger;
    TestUSDG internal usdg;

    function setUp() public virtual {
        fixtures = vm.readFile("contracts/test/fixtures/calls.json");
        vm.warp(NOW);
        vm.roll(1000);
        vm.setBlockhash(999, bytes32(uint256(1)));
        vm.chainId(46630);
        address[4] memory verifiers = _verifiers();
        vm.setNonce(DEPLOYER, 4);
        vm.startPrank(DEPLOYER);
        ledger = deployLedger(DEPLOYER, verifiers);
        usdg = new TestUSDG(DEPLOYER);
        ledger.listAsset(address(usdg), 1, type(uint64).max);
        usdg.mint(alice, 1_000_000_000);
        vm.stopPrank();
        // Should one of these fail, the world differs from the one of scripts/contracts/fixtures.ts.
        vm.assertEq(address(ledger), vm.parseJsonAddress(fixtures, ".ledger"));
        vm.assertEq(address(usdg), vm.parseJsonAddress(fixtures, ".usdg"));
        vm.assertEq(ledger.domainSalt(), vm.parseJsonBytes32(fixtures, ".domainSalt"));
        separator = ledger.domainSeparator();
        spenderKey = uint256(vm.parseJsonBytes32(fixtures, ".aliceSpenderKey"));
        _enrollAll(ledger);
        vm.startPrank(alice);
        usdg.approve(address(ledger), 1_000_000_000);
        ledger.deposit(address(usdg), 1_000_000_000);
        vm.stopPrank();
    }

    function _verifiers() internal virtual returns (address[4] memory) {
        return [
            deployArtifact("TransferVerifier.sol:TransferVerifier", ""),
            deployArtifact("ReleaseVerifier.sol:ReleaseVerifier", ""),
            deployArtifact("FundVerifier.sol:FundVerifier", ""),
            deployArtifact("AllocateVerifier.sol:AllocateVerifier", "")
        ];
    }

    function _enrollAll(ILedger target) internal {
        bytes32 viewingKey = vm.parseJsonBytes32(fixtures, ".aliceViewingKey");
        address spender = vm.addr(spenderKey);
        vm.prank(alice);
        target.enroll(ILedger.EnrollParams(alice, viewingKey, spender, NOW + 30 days, "root", DEADLINE), "");
        viewingKey = vm.parseJsonBytes32(fixtures, ".bobViewingKey");
        vm.prank(bob);
        target.enroll(ILedger.EnrollParams(bob, viewingKey, address(0), 0, "root", DEADLINE), "");
        bytes32 hash = StructHashes.enrollAgent(agent, alice, DEADLINE);
        (uint8 v, bytes32 r, bytes32 s) =
            vm.sign(AGENT_KEY, keccak256(abi.encodePacked(hex"1901", target.domainSeparator(), hash)));
        vm.prank(alice);
        target.enrollAgent(agent, alice, DEADLINE, "", abi.encodePacked(r, s, v));
    }

    /// The committed calldata of a call.
    function _call(string memory name) internal view returns (bytes memory) {
        return vm.parseJsonBytes(fixtures, string.concat(".calls.", name));
    }

    /// Sends the committed calls in their order, up to and with `last`.
    function _runThrough(string memory last) internal {
        string[7] memory order =
            ["allocate", "transfer", "release", "fund", "agentTransfer", "fundBack", "allocateNotes"];
        for (uint256 i = 0; i < order.length; ++i) {
            _run(order[i]);
            if (keccak256(bytes(order[i])) == keccak256(bytes(last))) return;
        }
    }

    function _run(string memory name) internal {
        (bool success, bytes memory reason) = address(ledger).call(_call(name));
        if (!success) {
            assembly {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    /// The arguments of a call, without its selector.
    function _arguments(string memory name) internal view returns (bytes memory data) {
        bytes memory whole = _call(name);
        data = new bytes(whole.length - 4);
        for (uint256 i = 0; i < data.length; ++i) {
            data[i] = whole[i + 4];
        }
    }

    function _old(address who) internal view returns (uint256) {
        return ledger.budgetOf(who, address(usdg));
    }
}
