// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {RealLedgerTest} from "./helpers/RealLedgerTest.sol";
import {vm} from "./helpers/Vm.sol";

/// With the real verifiers, and proofs and signatures made by the client library.
/// ├── every function takes its proof; the release pays what it says; the gas of each is pinned
/// ├── refused: the same call again
/// └── refused although the right key signs: another amount, recipient, credit, nonce, more given than taken
contract RealProofsTest is RealLedgerTest {
    function test_EveryFunctionTakesItsProof() public {
        string[7] memory order =
            ["allocate", "transfer", "release", "fund", "agentTransfer", "fundBack", "allocateNotes"];
        for (uint256 i = 0; i < order.length; ++i) {
            _run(order[i]);
            vm.snapshotGasLastCall("ledger", order[i]);
        }
        vm.assertEq(usdg.balanceOf(carol), 5_000_000);
        vm.assertEq(ledger.creditOf(alice, address(usdg)), 400_000_000);
        vm.assertEq(usdg.balanceOf(address(ledger)), 995_000_000);
    }

    function test_RevertWhen_TheCallIsSentAgain() public {
        _runThrough("transfer");
        (bool success, bytes memory reason) = address(ledger).call(_call("transfer"));
        vm.assertFalse(success, "a proof worked twice");
        vm.assertEq(bytes32(bytes4(reason)), bytes32(ILedger.NotAuthorized.selector));
    }

    function test_RevertWhen_AReleasesAmountIsReplaced() public {
        _runThrough("transfer");
        (ILedger.ReleaseParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("release"), (ILedger.ReleaseParams, ILedger.Proof, bytes));
        p.amount += 1;
        bytes memory signed = _signRelease(spenderKey, p, _old(alice));
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.release(p, q, signed);
    }

    function test_RevertWhen_AReleaseIsRedirected() public {
        _runThrough("transfer");
        (ILedger.ReleaseParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("release"), (ILedger.ReleaseParams, ILedger.Proof, bytes));
        p.to = bob;
        bytes memory signed = _signRelease(spenderKey, p, _old(alice));
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.release(p, q, signed);
    }

    function test_RevertWhen_AFundingGivesMoreThanItTakes() public {
        _runThrough("release");
        (ILedger.FundParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("fund"), (ILedger.FundParams, ILedger.Proof, bytes));
        p.toNewBudget = (p.toNewBudget + 1) % FIELD_ORDER;
        bytes memory signed = _signFund(ALICE_KEY, p, _old(alice), _old(agent));
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.fund(p, q, signed);
    }

    function test_RevertWhen_AnAllocationTakesLessCreditThanProven() public {
        (ILedger.AllocateParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("allocate"), (ILedger.AllocateParams, ILedger.Proof, bytes));
        p.credit -= 1;
        bytes memory signed = _signAllocate(ALICE_KEY, p, _old(alice), 0);
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.allocate(p, q, signed);
    }

    function test_RevertWhen_AnAllocationIsProvenForAnotherNonce() public {
        vm.prank(alice);
        ledger.setSpender(alice, vm.addr(spenderKey), NOW + 1 days, DEADLINE, "");
        (ILedger.AllocateParams memory p, ILedger.Proof memory q,) =
            abi.decode(_arguments("allocate"), (ILedger.AllocateParams, ILedger.Proof, bytes));
        bytes memory signed = _signAllocate(ALICE_KEY, p, _old(alice), 1);
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.allocate(p, q, signed);
    }
}
