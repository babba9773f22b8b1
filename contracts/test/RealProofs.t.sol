// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {RealLedgerTest} from "./helpers/RealLedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// With the real verifiers, and proofs and signatures made by the client library.
/// ├── every function takes its proof; public payments pay what they say; the ledger holds the rest
/// └── refused: any signed call again
contract RealProofsTest is RealLedgerTest {
    uint256 private constant DOLLAR = 1_000_000;

    function test_EveryFunctionTakesItsProof() public {
        for (uint256 i = 0; i < data.length; ++i) {
            _run(i);
        }
        // carol was minted one unit; the release paid her 5 dollars and the agent 7.
        vm.assertEq(usdg.balanceOf(carol), 12 * DOLLAR + 1);
        vm.assertEq(ledger.depositedOf(alice, address(usdg)), 100 * DOLLAR);
        vm.assertEq(usdg.balanceOf(address(ledger)), (2_000 - 12) * DOLLAR);
    }

    function test_RevertWhen_ASignedCallIsSentAgain() public {
        uint256 signed;
        for (uint256 i = 0; i < data.length; ++i) {
            _run(i);
            // alice sends what has no signature herself: mint, approve, deposit.
            if (_isBySender(i)) continue;
            (bool success,) = _send(i);
            vm.assertFalse(success, names[i]);
            ++signed;
        }
        vm.assertGe(signed, 30, "calls are missing");
    }

    function _isBySender(uint256 index) private view returns (bool) {
        bytes32 name = keccak256(bytes(names[index]));
        return name == keccak256("mint") || name == keccak256("approve") || name == keccak256("deposit")
            || name == keccak256("first deposit");
    }
}
