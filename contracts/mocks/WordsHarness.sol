// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IPlanEscrow} from "../interfaces/IPlanEscrow.sol";
import {Batches} from "../libraries/Batches.sol";
import {CharterCalldata} from "../libraries/CharterCalldata.sol";
import {SettlementCalldata} from "../libraries/SettlementCalldata.sol";
import {TermsCalldata} from "../libraries/TermsCalldata.sol";
import {Tokens} from "../libraries/Tokens.sol";
import {WordHash} from "../libraries/WordHash.sol";

/// @title Holds what the libraries read of calldata against what the compiler reads of it. For tests only.
contract WordsHarness {
    using CharterCalldata for IPlanEscrow.Charter;
    using CharterCalldata for IPlanEscrow.Step[];
    using CharterCalldata for IPlanEscrow.Royalty[];
    using SettlementCalldata for IPlanEscrow.Settlement;
    using TermsCalldata for IPlanEscrow.Terms;

    error Differs(string what);

    event Ran(uint256 okBitmap);
    event Arrived(bytes32 hash);

    /// @notice Reverts with nothing where a word is dirty; else every field is what the compiler reads.
    function terms(IPlanEscrow.Terms calldata given) external pure {
        given.requireClean();
        _same("client", given.getClient() == given.client);
        _same("token", given.getToken() == given.token);
        _same("total", given.getTotal() == given.total);
        _same("workBy", given.getWorkBy() == given.workBy);
        _same("reviewBy", given.getReviewBy() == given.reviewBy);
        _same("expiry", given.getExpiry() == given.expiry);
        _same("feeBps", given.getFeeBps() == given.feeBps);
        _same("feeTo", given.getFeeTo() == given.feeTo);
        _same("evaluator", given.getEvaluator() == given.evaluator);
        _same("arbitrator", given.getArbitrator() == given.arbitrator);
        _same("authorizer", given.getAuthorizer() == given.authorizer);
        _same("vetoSeconds", given.getVetoSeconds() == given.vetoSeconds);
        _same("onSilence", given.getOnSilence() == given.onSilence);
    }

    /// @notice Both parts, as the library and as the compiler hash them, and each step, as both read it.
    function settlement(IPlanEscrow.Settlement calldata given) external pure {
        IPlanEscrow.Charter calldata charter = given.getCharter();
        _same("charter", keccak256(abi.encode(charter)) == keccak256(abi.encode(given.charter)));
        _same("signature", keccak256(given.getSignature()) == keccak256(given.signature));
        (IPlanEscrow.Step[] calldata steps, IPlanEscrow.Royalty[] calldata royalties) = charter.parts();
        _same("steps", steps.hash() == keccak256(abi.encode(given.charter.steps)));
        _same("royalties", royalties.hash() == keccak256(abi.encode(given.charter.royalties)));
        for (uint256 i = 0; i < given.charter.steps.length; ++i) {
            _same("payee", steps.payeeAt(i) == given.charter.steps[i].payee);
            _same("amount", steps.amountAt(i) == given.charter.steps[i].amount);
        }
    }

    function examine(IPlanEscrow.Step[] calldata steps, address one, address other)
        external
        view
        returns (uint256 sum, uint256 barred)
    {
        return steps.examine(one, other);
    }

    function sumOf(IPlanEscrow.Step[] calldata steps, uint256 bits) external pure returns (uint256) {
        return steps.sumOf(bits);
    }

    function hashes(bytes32[6] calldata a) external pure {
        _same("three", WordHash.hash(a[0], a[1], a[2]) == keccak256(abi.encode(a[0], a[1], a[2])));
        bytes32 six = WordHash.hash(a[0], a[1], uint256(a[2]), uint256(a[3]), uint256(a[4]), a[5]);
        _same("six", six == keccak256(abi.encode(a[0], a[1], a[2], a[3], a[4], a[5])));
    }

    /// @notice Runs a batch and returns the outcomes; items that are complete return their content.
    function runAll(IPlanEscrow.Batch calldata batch) external {
        emit Ran(Batches.run(batch, this.arrive.selector));
    }

    function arrive(IPlanEscrow.Settlement calldata given) external {
        emit Arrived(keccak256(abi.encode(given)));
    }

    function balanceHere(address token) external view returns (uint256 held) {
        held = Tokens.balanceHere(token);
        _same("balance", held == IERC20(token).balanceOf(address(this)));
    }

    function _same(string memory what, bool isSame) private pure {
        if (!isSame) revert Differs(what);
    }
}
