// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";
import {IReceiveWithAuthorization} from "./interfaces/IReceiveWithAuthorization.sol";
import {Signatures} from "./libraries/Signatures.sol";

/// @title TestUSDC: a test token without value
/// @notice WORTH NOTHING. Any account can mint any amount, 1,000 at a time. It has no issuer, no reserve and no
///         connection with Circle's USDC. It copies the interface of USDC, so that a plan that works here works there. It
///         has 6 decimals, ERC-2612 permits, and ERC-3009 authorizations in both forms: (v, r, s), and bytes for
///         contract wallets. Never put it on the list of an escrow that also holds real tokens.
contract TestUSDC is ERC20, ERC20Permit, ERC3009, IReceiveWithAuthorization {
    /// @notice What one call of {mint} can make, in base units.
    uint256 public constant MINT_CAP = 1_000e6;

    /// @notice One call mints no more than the cap.
    error MintTooLarge(uint256 actual, uint256 max);

    constructor() ERC20("Test USD Coin", "USDC") ERC20Permit("Test USD Coin") {}

    /// @notice Makes `amount` out of nothing and gives it to `to`.
    function mint(address to, uint256 amount) external {
        if (amount > MINT_CAP) revert MintTooLarge(amount, MINT_CAP);
        _mint(to, amount);
    }

    /// @notice As ERC-3009's, for signatures of any length, ERC-1271 wallets' included.
    function transferWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        _requireSigned(
            from,
            keccak256(abi.encode(TRANSFER_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)),
            signature
        );
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @inheritdoc IReceiveWithAuthorization
    function receiveWithAuthorization(
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce,
        bytes calldata signature
    ) external {
        if (to != msg.sender) revert ERC20InvalidReceiver(to);
        _requireSigned(
            from,
            keccak256(abi.encode(RECEIVE_WITH_AUTHORIZATION_TYPEHASH, from, to, value, validAfter, validBefore, nonce)),
            signature
        );
        _transferWithAuthorization(from, to, value, validAfter, validBefore, nonce);
    }

    /// @notice As ERC-3009's, for signatures of any length, ERC-1271 wallets' included.
    function cancelAuthorization(address authorizer, bytes32 nonce, bytes calldata signature) external {
        _requireSigned(authorizer, keccak256(abi.encode(CANCEL_AUTHORIZATION_TYPEHASH, authorizer, nonce)), signature);
        _cancelAuthorization(authorizer, nonce);
    }

    /// @inheritdoc ERC20
    function decimals() public pure override returns (uint8) {
        return 6;
    }

    function _requireSigned(address signer, bytes32 structHash, bytes calldata signature) private view {
        if (!Signatures.isSignedBy(signer, _hashTypedDataV4(structHash), signature)) revert ERC3009InvalidSignature();
    }
}
