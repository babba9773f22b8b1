// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {EMPTY_NOTE, FIELD_ORDER} from "../src/Constants.sol";
import {ILedger} from "../src/interfaces/ILedger.sol";
import {AnyVerifier} from "./helpers/AnyVerifier.sol";
import {deployLedger} from "./helpers/DeployLedger.sol";
import {RealLedgerTest} from "./helpers/RealLedgerTest.sol";
import {Structs} from "./helpers/Structs.sol";
import {vm} from "./helpers/Vm.sol";

/// One real transfer proof. Wherever it is tried, the available balance holds the very commitment it starts from (moves
/// to the available balance are not verified here, so that any commitment can be put anywhere) and the right wallet
/// signs: ctx alone is left to refuse it. ├── control: taken as committed
/// ├── refused: a second time, on another chain, ledger, account, asset, recipient, ciphertext, deadline, commitment,
/// version └── refused: without signature, without proof, with a changed point
contract ProofBindingTest is RealLedgerTest {
    ILedger.TransferParams private params;
    ILedger.Proof private proof;
    bytes private signature;
    uint256 private oldAvailable;

    function setUp() public override {
        super.setUp();
        _runUntil("transfer");
        (params, proof, signature) =
            abi.decode(_arguments("transfer"), (ILedger.TransferParams, ILedger.Proof, bytes));
        oldAvailable = _old(alice);
    }

    function test_TheProofIsTakenOnce() public {
        ledger.transfer(params, proof, signature);
        vm.assertEq(_old(alice), params.newAvailable);
    }

    function test_RevertWhen_UsedAgainFromTheSameWord() public {
        ledger.transfer(params, proof, signature);
        _setAvailable(ledger, alice, address(usdg));
        vm.expectRevert(abi.encodeWithSelector(ILedger.NoteNotNew.selector, bob, address(usdg), params.note));
        ledger.transfer(params, proof, signature);
    }

    function test_RevertWhen_UsedAgainFromTheNewWord() public {
        ledger.transfer(params, proof, signature);
        params.note = (params.note + 1) % FIELD_ORDER;
        _expectInvalid(ledger);
    }

    function test_RevertWhen_OnAnotherChain() public {
        vm.chainId(4663);
        separator = ledger.domainSeparator();
        _expectInvalid(ledger);
    }

    function test_RevertWhen_OnAnotherLedger() public {
        ILedger other = deployLedger(address(this), _verifiers());
        other.listAsset(address(usdg), 1, type(uint64).max);
        vm.prank(alice);
        other.enroll(ILedger.EnrollParams(alice, "key", address(0), 0, "root", DEADLINE), "");
        vm.prank(bob);
        other.enroll(ILedger.EnrollParams(bob, "key", address(0), 0, "root", DEADLINE), "");
        _setAvailable(other, alice, address(usdg));
        separator = other.domainSeparator();
        _expectInvalid(other);
    }

    function test_RevertWhen_ForAnotherAccount() public {
        vm.prank(carol);
        ledger.enroll(ILedger.EnrollParams(carol, "key", alice, NOW + 1 days, "root", DEADLINE), "");
        _setAvailable(ledger, carol, address(usdg));
        params.account = carol;
        _expectInvalid(ledger);
    }

    function test_RevertWhen_ForAnotherAsset() public {
        _setAvailable(ledger, alice, address(0));
        params.asset = address(0);
        _expectInvalid(ledger);
    }

    function test_RevertWhen_ForAnotherRecipient() public {
        params.to = agent;
        _expectInvalid(ledger);
    }

    function testFuzz_RevertWhen_TheRecipientsCiphertextIsReplaced(uint256 index) public {
        params.recipientCiphertext[index % 4] ^= bytes32(1 << (index >> 2 & 0xff));
        _expectInvalid(ledger);
    }

    function testFuzz_RevertWhen_ThePayersCiphertextIsReplaced(uint256 index) public {
        params.payerCiphertext[index % 4] ^= bytes32(1 << (index >> 2 & 0xff));
        _expectInvalid(ledger);
    }

    function test_RevertWhen_TheDeadlineIsReplaced() public {
        params.deadline += 1;
        _expectInvalid(ledger);
    }

    function test_RevertWhen_TheNoteIsReplaced() public {
        params.note = (params.note + 1) % FIELD_ORDER;
        _expectInvalid(ledger);
    }

    function test_RevertWhen_TheNewAvailableIsReplaced() public {
        params.newAvailable = (params.newAvailable + 1) % FIELD_ORDER;
        _expectInvalid(ledger);
    }

    function test_RevertWhen_ThePolicyVersionIsRaised() public {
        ILedger.PolicyParams memory nothing;
        (nothing.account, nothing.deadline) = (alice, DEADLINE);
        vm.prank(alice);
        ledger.setPolicy(nothing, "");
        _expectInvalid(ledger);
    }

    function test_RevertWhen_ThereIsAProofAndNoSignature() public {
        vm.expectRevert(abi.encodeWithSelector(ILedger.NotAuthorized.selector, alice, address(this)));
        ledger.transfer(params, proof, "");
    }

    function test_RevertWhen_ThereIsASignatureAndNoProof() public {
        delete proof;
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.transfer(params, proof, signature);
    }

    function testFuzz_RevertWhen_APointIsChanged(uint8 coordinate, uint256 mask) public {
        vm.assume(mask != 0);
        ILedger.Proof memory p = proof;
        coordinate %= 8;
        if (coordinate < 2) p.a[coordinate] ^= mask;
        else if (coordinate < 6) p.b[(coordinate - 2) / 2][coordinate % 2] ^= mask;
        else p.c[coordinate - 6] ^= mask;
        vm.expectRevert(ILedger.InvalidProof.selector);
        ledger.transfer(params, p, signature);
    }

    /// The first move to the available balance has a real proof; nothing here depends on it.
    function _verifiers() internal override returns (address[7] memory verifiers) {
        verifiers = super._verifiers();
        verifiers[3] = address(new AnyVerifier());
    }

    /// Puts the commitment the proof starts from in an account's available balance.
    function _setAvailable(ILedger target, address account, address asset) private {
        ILedger.MakeAvailableParams memory p;
        (p.account, p.asset, p.newAvailable, p.changeNote, p.deadline) = (account, asset, oldAvailable, EMPTY_NOTE, DEADLINE);
        for (uint256 i = 0; i < 8; ++i) {
            p.notes[i] = EMPTY_NOTE;
        }
        vm.prank(account);
        target.makeAvailable(p, proof, "");
    }

    /// alice's wallet, the payment key of carol too, signs what the call now says.
    function _expectInvalid(ILedger target) private {
        uint256 old = target.availableOf(params.account, params.asset);
        uint64 version = target.account(params.account).policyVersion;
        bytes memory signed = _sign(ALICE_KEY, Structs.transfer(params, old, version));
        vm.expectRevert(ILedger.InvalidProof.selector);
        target.transfer(params, proof, signed);
    }
}
