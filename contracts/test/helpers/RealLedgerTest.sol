// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TestUSDG} from "../../src/tokens/TestUSDG.sol";
import {deployArtifact, deployLedger} from "./DeployLedger.sol";
import {StructSigner} from "./StructSigner.sol";
import {vm} from "./Vm.sol";

/// The world the committed calls were made for (scripts/contracts/fixtures.ts): the real verifiers, and a ledger at a known
/// place and time. The calls enroll everyone and move money; each builds on the one before it.
abstract contract RealLedgerTest is StructSigner {
    uint64 internal constant NOW = 1_800_000_000;
    uint64 internal constant DEADLINE = NOW + 3600;
    uint256 internal constant ALICE_KEY = 0xa11ce;
    uint256 internal constant AGENT_KEY = 0xa6e47;
    address private constant DEPLOYER = address(0xde91);

    address internal alice = vm.addr(ALICE_KEY);
    address internal bob = vm.addr(0xb0b);
    address internal agent = vm.addr(AGENT_KEY);
    address internal carol = address(0xca401);
    uint256 internal paymentKey;
    TestUSDG internal usdg;
    string internal fixtures;
    string[] internal names;
    address[] private senders;
    address[] private targets;
    bytes[] internal data;

    function setUp() public virtual {
        fixtures = vm.readFile("contracts/test/fixtures/calls.json");
        names = vm.parseJsonStringArray(fixtures, ".names");
        senders = vm.parseJsonAddressArray(fixtures, ".senders");
        targets = vm.parseJsonAddressArray(fixtures, ".targets");
        data = vm.parseJsonBytesArray(fixtures, ".data");
        paymentKey = uint256(vm.parseJsonBytes32(fixtures, ".alicePaymentKey"));
        vm.warp(NOW);
        vm.roll(1000);
        vm.setBlockhash(999, bytes32(uint256(1)));
        vm.chainId(46630);
        address[7] memory verifiers = _verifiers();
        vm.setNonce(DEPLOYER, 7);
        vm.startPrank(DEPLOYER);
        ledger = deployLedger(DEPLOYER, verifiers);
        usdg = new TestUSDG(alice);
        ledger.listAsset(address(usdg), 1, type(uint64).max);
        vm.stopPrank();
        // Should one of these fail, the world differs from the one of scripts/contracts/fixtures.ts.
        vm.assertEq(address(ledger), vm.parseJsonAddress(fixtures, ".ledger"));
        vm.assertEq(address(usdg), vm.parseJsonAddress(fixtures, ".usdg"));
        vm.assertEq(ledger.domainSalt(), vm.parseJsonBytes32(fixtures, ".domainSalt"));
        separator = ledger.domainSeparator();
    }

    /// transfer, release, fund, make available, spend, spendPublic, payMany
    function _verifiers() internal virtual returns (address[7] memory) {
        return [
            deployArtifact("TransferVerifier.sol:TransferVerifier", ""),
            deployArtifact("ReleaseVerifier.sol:ReleaseVerifier", ""),
            deployArtifact("FundVerifier.sol:FundVerifier", ""),
            deployArtifact("MakeAvailableVerifier.sol:MakeAvailableVerifier", ""),
            deployArtifact("SpendVerifier.sol:SpendVerifier", ""),
            deployArtifact("SpendPublicVerifier.sol:SpendPublicVerifier", ""),
            deployArtifact("PayManyVerifier.sol:PayManyVerifier", "")
        ];
    }

    /// The place of a call by its name; the first of several.
    function _find(string memory name) internal view returns (uint256 index) {
        while (keccak256(bytes(names[index])) != keccak256(bytes(name))) {
            ++index;
        }
    }

    /// Sends the committed calls that come before `name`.
    function _runUntil(string memory name) internal {
        uint256 end = _find(name);
        for (uint256 i = 0; i < end; ++i) {
            _run(i);
        }
    }

    function _run(uint256 index) internal {
        (bool success, bytes memory reason) = _send(index);
        if (!success) {
            assembly {
                revert(add(reason, 0x20), mload(reason))
            }
        }
    }

    function _send(uint256 index) internal returns (bool success, bytes memory reason) {
        vm.prank(senders[index]);
        return targets[index].call(data[index]);
    }

    /// The arguments of a call, without its selector.
    function _arguments(string memory name) internal view returns (bytes memory arguments) {
        bytes memory whole = data[_find(name)];
        arguments = new bytes(whole.length - 4);
        for (uint256 i = 0; i < arguments.length; ++i) {
            arguments[i] = whole[i + 4];
        }
    }

    function _old(address who) internal view returns (uint256) {
        return ledger.availableOf(who, address(usdg));
    }
}
