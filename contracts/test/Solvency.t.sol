// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {TestUSDG} from "../src/tokens/TestUSDG.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {deployLedgerWith} from "./helpers/DeployLedger.sol";
import {IdealVerifier} from "./helpers/IdealVerifier.sol";
import {LedgerHandler} from "./helpers/LedgerHandler.sol";
import {StructSigner} from "./helpers/StructSigner.sol";
import {vm} from "./helpers/Vm.sol";

/// Invariant 15: the ledger's tokens always cover deposited money, open notes and available balances, whatever its
/// accounts try with any of its functions, as long as proofs are sound. Nothing that was sent once works again. (What
/// is abandoned stays in the ledger for ever, so the tokens may exceed.)
contract SolvencyTest is StructSigner {
    uint64 private constant NOW = 1_800_000_000;
    uint64 private constant DEADLINE = NOW + 1 hours;

    TestUSDG private usdg;
    IdealVerifier private verifier;
    LedgerHandler private handler;

    function setUp() public {
        vm.warp(NOW);
        vm.roll(1000);
        verifier = new IdealVerifier();
        ledger = deployLedgerWith(address(this), address(verifier));
        separator = ledger.domainSeparator();
        // The handler is the next contract but one, and mints.
        usdg = new TestUSDG(vm.computeCreateAddress(address(this), vm.getNonce(address(this)) + 1));
        handler = new LedgerHandler(ledger, usdg, verifier, DEADLINE);
        ledger.listAsset(address(usdg), 1, type(uint64).max);
        _enroll(0xa11ce, 0xa6e47);
        _enroll(0xb0b, 0xb0b5);
    }

    function _enroll(uint256 ownerKey, uint256 agentKey) private {
        (address owner, address agent) = (vm.addr(ownerKey), vm.addr(agentKey));
        vm.prank(owner);
        ledger.enroll(ILedger.EnrollParams(owner, keccak256("x"), address(0), 0, "", DEADLINE), "");
        bytes memory signature = _signEnrollAgent(agentKey, agent, owner, DEADLINE);
        vm.prank(owner);
        ledger.enrollAgent(agent, owner, DEADLINE, "", signature);
    }

    /// The contracts whose functions forge calls.
    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function invariant_15_TokensCoverDepositedNotesAndAvailableBalances() public view {
        vm.assertGe(usdg.balanceOf(address(ledger)), _owed(), "the ledger owes more than it has");
    }

    function invariant_15_NothingWorksTwice() public view {
        vm.assertEq(handler.done("replay"), 0);
        vm.assertEq(handler.done("reopen"), 0);
        vm.assertEq(handler.done("twice in a batch"), 0);
    }

    /// Without abandoned available balances not a unit is lost either.
    function invariant_15_NothingIsLostUnlessAbandoned() public view {
        if (handler.done("abandon") == 0) vm.assertEq(usdg.balanceOf(address(ledger)), _owed());
    }

    /// The invariants mean something only when every action succeeds at times and is refused at times.
    function test_TheHandlerReachesEveryAction() public {
        handler.deposit(0, 999);
        handler.makeAvailable(0, 0, 1000, 500, 0, 1);
        handler.pay(0, 2, 100, 1);
        handler.makeAvailable(0, 0, 0, 300, 1, 1);
        handler.fund(0, 1, 200, 1);
        handler.pay(1, 2, 20, 1);
        handler.payMany(1, 0, 40, 2);
        handler.payMany(1, 0, 40, 1);
        handler.release(1, 10, 1);
        handler.replay(0);
        handler.payOldNote(1, 2, 0);
        handler.abandon(0);
        string[7] memory actions = ["deposit", "makeAvailable", "pay", "payMany", "fund", "release", "abandon"];
        for (uint256 i = 0; i < actions.length; ++i) {
            vm.assertGe(handler.done(actions[i]), 1, actions[i]);
        }
        vm.assertEq(handler.done("replay"), 0);
        vm.assertEq(handler.done("twice in a batch"), 0);
        vm.assertGe(handler.refused(), 2, "nothing was refused");
    }

    function _owed() private view returns (uint256 owed) {
        for (uint256 i = 0; i < 4; ++i) {
            address account = handler.accounts(i);
            owed += ledger.depositedOf(account, address(usdg));
            owed += verifier.available(ledger.availableOf(account, address(usdg))).limit;
            for (uint256 j = 0; j < handler.noteCount(); ++j) {
                uint256 note = handler.notes(j);
                if (ledger.noteStatus(account, address(usdg), note) == ILedger.NoteStatus.Open) {
                    owed += verifier.noteAmount(note);
                }
            }
        }
    }
}
